// Bundles the worker and runs it here, in the runtime of Cloudflare Workers: node start.js
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { rolldown } from 'rolldown'

const { AID, PRIVATE_KEY, GATEHOUSE = 'http://127.0.0.1:8080/sandbox', PORT = '3000' } = process.env
const SITE = `http://localhost:${PORT}`

const input = fileURLToPath(new URL('worker.js', import.meta.url))
const bundle = await rolldown({ input, external: ['cloudflare:workers'], platform: 'browser' })
const { output } = await bundle.generate({ format: 'es' })

const worker = new Miniflare({
  modules: true,
  script: output[0].code,
  compatibilityDate: '2026-04-01',
  bindings: { AID, PRIVATE_KEY, GATEHOUSE, SITE, SESSION_SECRET: randomUUID() },
  host: 'localhost',
  port: Number(PORT),
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => worker.dispose())
await worker.ready
console.log(`The site is at ${SITE}`)
