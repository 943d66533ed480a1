import react from '@vitejs/plugin-react';
import { defineConfig, type PluginOption } from 'vite';

const backend = process.env['PORTAGE_BACKEND'] ?? 'http://127.0.0.1:8080';

/** `npm run dev:mock` answers /api from the same in-memory stand-in the tests use, so screens can be built without a server. */
function mockApi(): PluginOption {
  return {
    name: 'portage-mock-api',
    async configureServer(server) {
      const { nodeMiddleware } = await import('./src/test/mock-middleware.ts');
      server.middlewares.use(nodeMiddleware());
    },
  };
}

export default defineConfig({
  plugins: [react(), process.env['PORTAGE_MOCK_API'] ? mockApi() : null],
  // the server replaces this literal in index.html with a fresh nonce for each response
  html: { cspNonce: '{{csp_nonce}}' },
  build: { manifest: true, target: 'baseline-widely-available', assetsInlineLimit: 0, cssCodeSplit: true },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/identity', '/simulators', '/mailbox'].map((path) => [path, { target: backend, changeOrigin: false }]),
    ),
  },
});
