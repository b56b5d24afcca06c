import { type Logger, pino } from 'pino'

const ADDRESS = /[^\s<>"'(),:;=]+@[^\s<>"'(),:;=]+/g
const withoutAddresses = (text: unknown) => String(text ?? '').replace(ADDRESS, '(address)')

/** Keeps only what is needed to find the cause: a database error also carries the values of a row. */
function showError(error: unknown): object {
  if (!(error instanceof Error)) return { message: withoutAddresses(error) }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return {
    type: error.name,
    ...(code === undefined ? {} : { code: String(code) }),
    message: withoutAddresses(error.message),
    stack: withoutAddresses(error.stack),
    ...(cause === undefined ? {} : { cause: showError(cause) }),
  }
}

/** Logs JSON lines, or readable lines on a terminal. Requests are never logged with their headers, query or body, which
 * keeps signatures and email addresses out of the log. */
export function createLogger(level: string): Logger {
  const options = {
    level,
    serializers: { err: showError, error: showError },
    redact: ['req', 'request', 'headers', 'authorization', '*.authorization'],
  }
  if (!process.stdout.isTTY) return pino(options)
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } },
  })
}
