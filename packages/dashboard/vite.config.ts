import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  plugins: [react(), tailwind()],
  resolve: {
    // The one that Radix brings writes a style element, which the content security policy forbids.
    alias: {
      'react-remove-scroll': fileURLToPath(new URL('src/parts/scroll-lock.tsx', import.meta.url)),
    },
  },
  experimental: {
    // Scripts find each other wherever the service is mounted; only index.html names a place.
    renderBuiltUrl: (_path, { hostType }) => (hostType === 'js' ? { relative: true } : undefined),
  },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
  },
})
