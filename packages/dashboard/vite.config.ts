import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { thirdPartyLicenses } from '../../scripts/third-party-licenses.mjs'

/**
 * The chunk that the first page needs. The browser is told to compile all its functions in the background while the
 * script is still loading. Most of them run immediately, and compiling them one by one on the main thread took a third
 * of the time to the first page.
 */
const FIRST_SCRIPT = 'app'

const compileEarly: Plugin = {
  name: 'compile-early',
  generateBundle: {
    // Runs after everything else that may add to the start of a chunk.
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || chunk.name !== FIRST_SCRIPT) continue
        chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
      }
    },
  },
}

/** Compresses scripts and styles once, instead of at each request. */
const precompress: Plugin = {
  name: 'precompress',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((one) => one.startsWith('assets/'))) {
      const path = join(dir, name)
      const bytes = readFileSync(path)
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      writeFileSync(`${path}.br`, brotliCompressSync(bytes))
    }
  },
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  plugins: [react(), tailwind(), compileEarly, precompress, thirdPartyLicenses()],
  resolve: {
    alias: {
      '@gatehouse/server/dashboard-api': fileURLToPath(
        new URL('../server/src/http/dashboard/api.ts', import.meta.url),
      ),
      // The package that Radix uses adds a style element, which the content security policy forbids.
      'react-remove-scroll': fileURLToPath(
        new URL('src/components/overlays/scroll-lock.tsx', import.meta.url),
      ),
    },
  },
  experimental: {
    // Scripts import each other by relative URL, so the service can be mounted anywhere; only index.html has a base.
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
