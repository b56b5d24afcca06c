// Gatehouse as `gatehouse serve` runs it in one process, except that grouped commits can be turned off:
// `node gatehouse.mjs PORT [ungrouped]`
import { createApp } from '../../packages/server/dist/app.js'
import { readConfig } from '../../packages/server/dist/config.js'
import { createContext } from '../../packages/server/dist/context.js'
import { startCountWorker } from '../../packages/server/dist/count-worker.js'
import { createLogger } from '../../packages/server/dist/logger.js'

const [port, way] = process.argv.slice(2)
const config = readConfig({ ...process.env, GATEHOUSE_PORT: port })
const ctx = await createContext(config, way === 'ungrouped' ? { grantsTogether: 1 } : {})
const log = createLogger(config.logLevel)
const app = await createApp(ctx, log)
await app.listen({ host: config.host, port: config.port })
const worker = startCountWorker(ctx.environments.production, log)
process.once('SIGTERM', async () => {
  await worker.stop()
  await app.close()
  await ctx.close()
})
