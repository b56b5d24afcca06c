// Bundles the server and its dependencies into a few files: a process loads them in a third of the processor time that
// it takes to find and link more than a thousand modules.
import { defineConfig } from 'rolldown'
import { thirdPartyLicenses } from '../../scripts/third-party-licenses.mjs'

/** Packages that are loaded from `node_modules`: native code, and what pino loads by name in a thread of its own. */
const external = [
  '@node-rs/argon2',
  '@photostructure/sqlite',
  'pino',
  'pino-pretty',
  'pg-native',
  'sharp',
]

/** All entries are at the top of `dist`, because paths relative to `import.meta.url` are resolved from there. */
const input = {
  cli: 'src/cli/cli.ts',
  'lookup-thread': 'src/db/sqlite/lookup-thread.js',
  'convert-process': 'src/domain/images/convert-process.js',
  // The benchmark and the scripts use these.
  app: 'src/app.ts',
  applications: 'src/domain/apps/applications.ts',
  config: 'src/config/config.ts',
  context: 'src/context.ts',
  'count-worker': 'src/worker/count-worker.ts',
  counting: 'src/domain/access/counts/counting.ts',
  logger: 'src/logging/logger.ts',
  'revenue-sums': 'src/domain/figures/sums.ts',
}

/** The bundler escapes characters in strings, but not in tagged templates, whose text may be read as it is written. */
const requireAscii = () => ({
  name: 'require-ascii',
  generateBundle(_options, bundle) {
    for (const { fileName, code = '' } of Object.values(bundle)) {
      const at = code.search(/[\u0080-\uffff]/)
      if (at === -1) continue
      const found = code.slice(at - 30, at + 30)
      this.error(`${fileName} has a character that is not ASCII, write an escape: ${found}`)
    }
  },
})

export default defineConfig({
  input,
  external,
  platform: 'node',
  plugins: [thirdPartyLicenses(), requireAscii()],
  // Node 20 has no `navigator`, without which pg makes a `Response` to find out where it runs, and that loads undici.
  transform: { define: { 'navigator.userAgent': '"Node.js"', navigator: '{}' } },
  output: {
    dir: 'dist',
    format: 'esm',
    // A process keeps the text of its program, with one byte for a character if all of them are ASCII.
    charset: 'ascii',
    comments: false,
    sourcemap: process.env.GATEHOUSE_SOURCE_MAPS !== 'off',
    chunkFileNames: '[name]-[hash].js',
  },
})
