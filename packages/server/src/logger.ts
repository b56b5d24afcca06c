import { type Logger, pino } from 'pino'

/** JSON lines, or readable ones on a terminal. Requests are never logged with their headers, query or
 * body: signatures and people's addresses stay out by construction. */
export function createLogger(level: string): Logger {
  const redact = ['req', 'request', 'headers', 'authorization', '*.authorization']
  if (!process.stdout.isTTY) return pino({ level, redact })
  return pino({
    level,
    redact,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } },
  })
}
