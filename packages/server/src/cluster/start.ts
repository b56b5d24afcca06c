import cluster from 'node:cluster'
import type { Config } from '../config/config.ts'

/** Serves from this process, or supervises workers that do. `read` returns the settings as they are at that moment. */
export async function run(read: () => Config): Promise<void> {
  if (cluster.isWorker) return await serveAsWorker(read)
  const config = read()
  // Imports only what is needed: a supervisor lives as long as the service and does little.
  if (config.workers > 1) {
    const { supervise } = await import('./supervisor.ts')
    return await supervise(config, read)
  }
  const { serve } = await import('../main.ts')
  await serve(config)
}

async function serveAsWorker(read: () => Config): Promise<void> {
  const { createClusterRole } = await import('./worker-role.ts')
  const role = createClusterRole()
  try {
    const { serve } = await import('../main.ts')
    await serve(read(), role)
  } finally {
    role.close()
  }
}
