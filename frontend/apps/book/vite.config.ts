import { appConfig } from '../../vite.shared.ts';
import { startShell } from './start-shell.ts';

export default appConfig('book', [startShell()]);
