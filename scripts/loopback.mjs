// Helps to start and stop servers on loopback for a test.
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function until(what, condition, seconds = 30) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(50)) {
    if (await condition().catch(() => false)) return
  }
  throw new Error(`${what} did not come up`)
}

export async function stop(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await new Promise((resolve) => child.once('exit', resolve))
}
