import cluster from 'node:cluster'
import type { Config } from './config.ts'

/** Serves from this process, or has others do so; `read` is called for the settings as they are then. */
export async function run(read: () => Config): Promise<void> {
  if (cluster.isWorker) return await serveAsWorker(read)
  const config = read()
  // Only what is needed: a supervisor lives as long as the service and does little.
  if (config.workers > 1) {
    const { supervise } = await import('./supervisor.ts')
    return await supervise(config, read)
  }
  const { serve } = await import('./main.ts')
  await serve(config)
}

async function serveAsWorker(read: () => Config): Promise<void> {
  const { workerPlace } = await import('./place.ts')
  const place = workerPlace()
  try {
    const { serve } = await import('./main.ts')
    await serve(read(), place)
  } finally {
    place.close()
  }
}
