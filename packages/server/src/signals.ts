/** A signal that comes again this soon is the same one: a terminal sends it to npm and to us, and npm
 * passes it on. */
const SAME_SIGNAL_MS = 250

/** Resolves at the first SIGTERM or SIGINT; the second one means it. */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = (signal: string) => {
      first ??= performance.now()
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(1)
      resolve(signal)
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
    // A terminal that goes away takes along what was started in it.
    if (process.stdout.isTTY) process.on('SIGHUP', onSignal)
  })
}

/** SIGHUP where there is no terminal: somebody asks for a restart. */
export function onReloadSignal(reload: () => void): void {
  if (!process.stdout.isTTY) process.on('SIGHUP', reload)
}
