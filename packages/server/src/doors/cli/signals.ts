import { Stop } from '../../errors.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal that comes again this soon is the same one: a terminal sends it to npm and to us, and npm
 * passes it on. */
const SAME_SIGNAL_MS = 250

/** Does work that clears away after itself when a signal stops it. The second signal does not wait. */
export async function stoppable<R>(work: (signal: AbortSignal) => Promise<R>): Promise<R> {
  const stopping = new AbortController()
  let first: { name: NodeJS.Signals; at: number } | undefined
  const onSignal = (name: NodeJS.Signals) => {
    first ??= { name, at: performance.now() }
    if (performance.now() - first.at > SAME_SIGNAL_MS) process.exit(1)
    stopping.abort(new Stop('stopped; nothing has changed'))
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  try {
    return await work(stopping.signal)
  } catch (error) {
    if (first) endBy(first.name)
    throw error
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal)
  }
}

/** Whoever runs us in a loop ends the loop only if a signal ended us. */
function endBy(name: NodeJS.Signals): void {
  process.once('exit', () => process.kill(process.pid, name))
}
