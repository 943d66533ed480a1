import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run kit`: every component of the desk in every state. It is no app: it is built only to take its pictures. */
export default defineConfig({
  plugins: [react()],
  cacheDir: '../../node_modules/.vite-kit',
  server: { port: 5175 },
  preview: { port: 5176, strictPort: true },
  build: { outDir: '../../node_modules/.kit-page', emptyOutDir: true, chunkSizeWarningLimit: 2000 },
});
