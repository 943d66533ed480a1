import { appConfig } from '../../vite.shared.ts';

export default appConfig('ops');
