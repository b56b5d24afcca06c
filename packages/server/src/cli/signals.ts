import { OperatorError } from '../errors.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal repeated within this time counts once: a terminal sends Ctrl-C to npm and to this process, and npm
 * forwards it. */
const SAME_SIGNAL_MS = 250

/** Runs work that cleans up after itself when a signal aborts it. A second signal exits immediately. */
export async function withSignals<R>(work: (signal: AbortSignal) => Promise<R>): Promise<R> {
  const stopping = new AbortController()
  let first: { name: NodeJS.Signals; at: number } | undefined
  const onSignal = (name: NodeJS.Signals) => {
    first ??= { name, at: performance.now() }
    if (performance.now() - first.at > SAME_SIGNAL_MS) process.exit(1)
    stopping.abort(new OperatorError('stopped; nothing was changed'))
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  try {
    return await work(stopping.signal)
  } catch (error) {
    if (first) exitBySignal(first.name)
    throw error
  } finally {
    for (const name of SIGNALS) process.off(name, onSignal)
  }
}

/** Ends the process by the signal itself: only then does a shell loop around the command stop too. */
function exitBySignal(name: NodeJS.Signals): void {
  process.once('exit', () => process.kill(process.pid, name))
}
