import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * What the first page needs is one script, all of whose functions a browser may compile while the script is still
 * arriving, beside the thread that draws: most of them are called at once, and compiled there one by one they
 * took a third of the time to the first page.
 */
const FIRST_SCRIPT = 'app'

const compileEarly: Plugin = {
  name: 'compile-early',
  generateBundle: {
    // After whatever else writes at the beginning of a script.
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || chunk.name !== FIRST_SCRIPT) continue
        chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      }
    },
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  plugins: [react(), tailwind(), compileEarly],
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
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: FIRST_SCRIPT, test: /\/src\/main\.tsx$/ }] } },
    },
  },
})
