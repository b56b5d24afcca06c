import { type Logger, pino } from 'pino'
import { withoutAddresses } from './addresses.ts'

const MAX_MESSAGE = 4_000
export const MAX_STACK = 8_000

const shorten = (text: unknown, most: number) => withoutAddresses(String(text ?? '').slice(0, most))

/** Keeps only what is needed to find the cause: a database error also carries the values of a row. */
function showError(error: unknown): object {
  if (!(error instanceof Error)) return { message: shorten(error, MAX_MESSAGE) }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return {
    type: error.name,
    ...(code === undefined ? {} : { code: String(code) }),
    message: shorten(error.message, MAX_MESSAGE),
    stack: shorten(error.stack, MAX_STACK),
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
