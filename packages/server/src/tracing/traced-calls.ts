import type { Database } from '../db/database.ts'
import type { Mailer } from '../domain/mail/mailer.ts'
import type { PaymentProvider } from '../domain/payments/provider.ts'
import type { WebhookCall, WebhookClient } from '../domain/webhooks/calls/http-client.ts'
import { parseTraceparent, type TraceContext, traceHeaders } from './trace-context.ts'
import type { Tracer } from './tracer.ts'

/** Returns the same database, with a span for each transaction that a request or another span waits for. Background
 * loops begin transactions all the time, which would be traces of nothing. */
export function traceDatabase<T>(database: Database<T>, name: string, tracer: Tracer): Database<T> {
  const system = database.engine === 'postgres' ? 'postgresql' : 'sqlite'
  const attributes = { 'db.system.name': system, 'db.namespace': name }
  return {
    ...database,
    async write(fn, options) {
      if (tracer.current() === undefined) return await database.write(fn, options)
      const input = { name: 'transaction', kind: 'client', attributes } as const
      return await tracer.span(input, () => database.write(fn, options))
    },
  }
}

const PROVIDER_CALLS = ['startCheckout', 'expireCheckout', 'charge', 'refund', 'check'] as const

type Call = (...args: unknown[]) => Promise<unknown>

/** Returns the same provider, with a span for each call. */
export function traceProvider<P extends PaymentProvider>(provider: P, tracer: Tracer): P {
  const traced = <T extends object>(part: T, names: readonly (keyof T & string)[], group = '') => {
    const replaced = names.map((name) => {
      const original = part[name] as Call
      const input = {
        ...{ name: `${provider.name} ${group}${name}`, kind: 'client' as const },
        attributes: { 'peer.service': provider.name },
      }
      return [
        name,
        (...args: unknown[]) => tracer.span(input, () => original.apply(part, args)),
      ] as const
    })
    return { ...part, ...Object.fromEntries(replaced) }
  }
  const names = Object.keys(provider.find) as (keyof PaymentProvider['find'] & string)[]
  const find = traced(provider.find, names, 'find ')
  return { ...traced(provider as PaymentProvider, PROVIDER_CALLS), find } as P
}

/** Returns the same client, with a span for each call, in the trace of what caused its event. The receiver can continue it: the
 * headers are not part of the signature. */
export function traceWebhookClient(client: WebhookClient, tracer: Tracer): WebhookClient {
  return {
    ...client,
    post(call) {
      const attributes = {
        'http.request.method': 'POST',
        'gatehouse.event_id': call.headers['webhook-id'] ?? '',
      }
      const parent = causeOf(call) ?? tracer.current()
      const input = { name: 'webhook', kind: 'client', parent, attributes } as const
      return tracer.span(input, async (span) => {
        const headers = { ...call.headers, ...traceHeaders(span.context) }
        const response = await client.post({ ...call, headers })
        span.set({ 'http.response.status_code': response.status })
        if (response.status >= 400) span.fail()
        return response
      })
    },
  }
}

/** The trace of the request that caused an event, which the event carries. */
function causeOf({ body }: WebhookCall): TraceContext | undefined {
  if (!body.includes('"traceparent"')) return undefined
  const { cause = {} } = JSON.parse(body) as { cause?: Record<string, unknown> }
  const context = parseTraceparent(cause.traceparent)
  // An erasure empties the ID: whoever chose it may have put a name into it.
  return context && { ...context, requestId: (cause.request_id as string) || undefined }
}

/** Returns the same mailer, with a span for each mail. Nothing of the mail is in it. */
export function traceMailer(mailer: Mailer, tracer: Tracer): Mailer {
  return {
    ...mailer,
    send: (mail, stop) =>
      tracer.span({ name: 'send mail', kind: 'client' }, () => mailer.send(mail, stop)),
  }
}
