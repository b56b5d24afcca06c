/** A signal repeated within this time is the same one: a terminal sends it to npm and to us, and npm forwards it. */
const SAME_SIGNAL_MS = 250

/** Resolves at the first SIGTERM or SIGINT. A second one exits immediately. */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = (signal: string) => {
      first ??= performance.now()
      if (performance.now() - first > SAME_SIGNAL_MS) process.exit(1)
      resolve(signal)
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
    // A terminal that closes sends SIGHUP to stop what was started in it.
    if (process.stdout.isTTY) process.on('SIGHUP', onSignal)
  })
}

/** Calls `reload` on SIGHUP. On a terminal, SIGHUP stops the service instead. */
export function onReloadSignal(reload: () => void): void {
  if (!process.stdout.isTTY) process.on('SIGHUP', reload)
}
