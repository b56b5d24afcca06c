import { afterEach, describe, expect, it, vi } from 'vitest'
import { readTracing } from '../config/tracing.ts'
import type { OutgoingMail } from '../domain/mail/mailer.ts'
import { signedHeaders } from '../domain/webhooks/calls/signature.ts'
import { createWebhookSender } from '../domain/webhooks/sender.ts'
import { createLogger } from '../logging/logger.ts'
import { databases, type TestDatabase } from '../testing/databases.ts'
import { useFreshFixture } from '../testing/fixtures.ts'
import { startCollector } from '../testing/http/collector.ts'
import { sendSigned } from '../testing/http/requests.ts'
import { startTestService, type TestApplication, type TestService } from '../testing/service.ts'
import { startSmtp } from '../testing/smtp/smtp.ts'
import { useFreshFakeStripe } from '../testing/use-service.ts'
import { startReceiver } from '../testing/webhooks/receiver.ts'
import { addEndpoint, TEST_SECRET } from '../testing/webhooks/sending.ts'
import { openTracer } from './open-tracer.ts'
import { parseTraceparent } from './trace-context.ts'
import type { Tracer } from './tracer.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const SERVER = 2
const CLIENT = 3
const GRANT = 'POST /sandbox/r2/access/grant'
const WAIT = { timeout: 20_000 }

const LETTER: OutgoingMail = {
  ...{ id: 'letter@example.com', from: { name: '', address: 'access@example.com' } },
  ...{ to: 'ann@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' },
}

/** The headers of a request that is part of a trace. */
const traced = (n: number, flags = '01') => ({
  traceparent: `00-${TRACE}-${CALLER.slice(1)}${n}-${flags}`,
  'x-request-id': `request-${n}`,
})

/** Starts a service whose requests are traced, and what it calls. */
function useTracedService(database: TestDatabase) {
  const collector = useFreshFixture(startCollector, (started) => started.stop())
  const receiver = useFreshFixture(startReceiver, (started) => started.close())
  const stripe = useFreshFakeStripe()
  const smtp = useFreshFixture(startSmtp, (started) => started.stop())
  let service: TestService
  let app: TestApplication
  let tracer: Tracer
  afterEach(() => service.stop())

  async function start(variables: Record<string, string>): Promise<void> {
    const settings = readTracing(variables)
    if (!settings) throw new Error('no traces are wanted')
    tracer = openTracer(settings, createLogger('silent'))
    service = await startTestService(database, {
      tracer,
      env: {
        GATEHOUSE_WEBHOOK_ALLOW: '127.0.0.1/32',
        GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY: stripe.secretKey,
        GATEHOUSE_SANDBOX_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
        GATEHOUSE_STRIPE_API: stripe.url,
        GATEHOUSE_SANDBOX_SMTP_URL: smtp.url,
      },
    })
    app = await service.newApplication('sandbox')
    await app.addResource('news')
    await addEndpoint(service, app, `${receiver.url}/secret-path?token=1`)
  }

  const grant = (ref: string, headers: Record<string, string>) =>
    sendSigned(
      app,
      'POST',
      '/r2/access/grant',
      { rid: 'news', user_ref: ref, email: `${ref}@example.com` },
      { headers },
    )

  async function sendWebhooks(): Promise<void> {
    const { database: own, webhookClient, clock, realTime } = app.environment
    if (!webhookClient) throw new Error('no client')
    const { masterKey } = service.ctx
    const sender = createWebhookSender({
      ...{ database: own, masterKey, client: webhookClient, clock, realTime, random: () => 0.5 },
      ...{ log: createLogger('silent'), abandonSignal: new AbortController().signal },
    })
    while ((await sender.startDue()) > 0) await sender.drain()
  }

  return {
    ...{ start, grant, sendWebhooks, collector, stripe, smtp },
    get app() {
      return app
    },
    get tracer() {
      return tracer
    },
    /** Resolves when this many spans of a name have arrived. A span ends after its response, so it may still be missing
     * at that time. */
    arrived: (name: string, count: number) =>
      vi.waitFor(async () => {
        await tracer.close()
        expect(collector.spans.filter((span) => span.name === name)).toHaveLength(count)
      }, WAIT),
    spansOf: (name: string) => collector.spans.filter((span) => span.name === name),
    /** The webhooks about readers. The resource has one, too. */
    webhooks: () => receiver.received.filter(({ uid }) => uid !== undefined),
  }
}

describe.each(databases)('traces on $name', (database) => {
  const on = useTracedService(database)

  it('lead from the caller through the transaction to the webhook and its receiver', async () => {
    await on.start({ OTEL_EXPORTER_OTLP_ENDPOINT: on.collector.url })
    // Together, so that they may be written in one transaction.
    const responses = await Promise.all([1, 2, 3].map((n) => on.grant(`reader-${n}`, traced(n))))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    await on.sendWebhooks()
    await on.arrived(GRANT, 3)

    const requests = on.spansOf(GRANT)
    expect(requests).toHaveLength(3)
    for (const [i, request] of requests.entries()) {
      const n = Number(request.parentSpanId?.slice(-1))
      expect(request).toMatchObject({ traceId: TRACE, kind: SERVER, status: {} })
      expect(request.attributes).toEqual({
        'http.request.method': 'POST',
        'http.route': '/sandbox/r2/access/grant',
        'http.response.status_code': 200,
        'gatehouse.request_id': `request-${n}`,
      })
      expect(Number(request.endTimeUnixNano)).toBeGreaterThan(Number(request.startTimeUnixNano))
      expect(new Set(requests.slice(i).map(({ spanId }) => spanId)).size).toBe(3 - i)
      // Each request leads to its own events, also if they were written together.
      const webhooks = on.spansOf('webhook').filter((one) => one.parentSpanId === request.spanId)
      expect(webhooks).toHaveLength(2)
      for (const webhook of webhooks) {
        expect(webhook).toMatchObject({ traceId: TRACE, kind: CLIENT })
        const received = on
          .webhooks()
          .find(({ headers }) => parseTraceparent(headers.traceparent)?.spanId === webhook.spanId)
        const { id = '', body = '', headers } = received ?? {}
        const at = Number(headers?.['webhook-timestamp']) * 1000
        expect(headers).toMatchObject(signedHeaders([TEST_SECRET], { id, body, at }))
        expect(received?.headers['x-request-id']).toBe(`request-${n}`)
        expect(received?.body).toContain(`"request_id":"request-${n}"`)
        expect(received?.body).toContain(`reader-${n}`)
      }
    }
    const ids = new Set(requests.map(({ spanId }) => spanId))
    const transactions = on.spansOf('transaction').filter(({ traceId }) => traceId === TRACE)
    expect(transactions.length).toBeGreaterThan(0)
    for (const { parentSpanId = '' } of transactions) expect(ids).toContain(parentSpanId)
  })
})

describe('traces', () => {
  const on = useTracedService(databases[0])

  it('continue at the payment provider', async () => {
    await on.start({ OTEL_EXPORTER_OTLP_ENDPOINT: on.collector.url })
    const outer = { name: 'outer', kind: 'internal', requestId: 'request-9' } as const
    await on.tracer.span(outer, () => on.app.environment.provider?.check() ?? Promise.reject())
    on.stripe.fault = () => 'key_refused'
    await expect(on.app.environment.provider?.check()).rejects.toThrow()
    await on.tracer.close()
    const [first, failed] = on.spansOf('stripe check')
    expect(first).toMatchObject({ parentSpanId: on.spansOf('outer')[0]?.spanId, status: {} })
    expect(failed).toMatchObject({ status: { code: 2 } })
    expect(failed?.parentSpanId).toBeUndefined()
    const sent = on.stripe.calls.map(({ headers }) => headers)
    expect(sent[0]?.['x-request-id']).toBe('request-9')
    expect(sent.map(({ traceparent }) => parseTraceparent(traceparent)?.spanId)).toEqual([
      ...[first?.spanId, failed?.spanId],
    ])
  })

  it('cover the mail server, and say nothing of the mail', async () => {
    await on.start({ OTEL_EXPORTER_OTLP_ENDPOINT: on.collector.url })
    const { mailer } = on.app.environment
    await mailer?.send(LETTER)
    on.smtp.fault = () => 550
    await expect(mailer?.send(LETTER)).rejects.toThrow()
    await on.arrived('send mail', 2)
    const [sent, refused] = on.spansOf('send mail')
    expect(sent).toMatchObject({ kind: CLIENT, status: {}, attributes: {} })
    expect(refused).toMatchObject({ kind: CLIENT, status: { code: 2 } })
    expect(on.smtp.mails).toHaveLength(1)
    const all = on.collector.requests.map(({ body }) => body).join()
    for (const part of ['ann', 'Hello', '@']) expect(all).not.toContain(part)
  })

  it('have no address, no secret and no query', async () => {
    await on.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${on.collector.url}/base/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=shop,deployment.environment.name=test',
    })
    await on.grant('ann', {})
    await fetch(`${on.app.baseUrl}/no/such/ann@example.com?email=ann@example.com`)
    await on.sendWebhooks()
    await on.arrived(GRANT, 1)
    await on.arrived('GET unknown', 1)
    const [request] = on.collector.requests
    expect(request).toMatchObject({ path: '/base/v1/traces' })
    expect(request?.headers).toMatchObject({ authorization: 'Bearer secret' })
    expect(request?.body).toContain('{"key":"service.name","value":{"stringValue":"shop"}}')
    const all = on.collector.requests.map(({ body }) => body).join()
    expect(all).toContain('GET unknown')
    for (const secret of ['@', 'ann', 'secret', 'token', 'email', on.app.privateKey, TEST_SECRET]) {
      expect(all).not.toContain(secret)
    }
  })

  it('are recorded as the caller and the sampler want', async () => {
    const sampler = {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    }
    await on.start({ OTEL_EXPORTER_OTLP_ENDPOINT: on.collector.url, ...sampler })
    await on.grant('ann', {})
    await on.grant('bob', traced(1, '00'))
    await on.grant('cleo', traced(2))
    await on.arrived(GRANT, 1)
    expect(on.spansOf(GRANT).map((span) => span.parentSpanId)).toEqual([`${CALLER.slice(1)}2`])
  })

  it('are passed on as they came if none are recorded', async () => {
    await on.start({ OTEL_PROPAGATORS: 'tracecontext' })
    await on.grant('ann', traced(1))
    await on.sendWebhooks()
    await on.tracer.close()
    expect(on.collector.requests).toEqual([])
    expect(on.webhooks().map(({ headers }) => headers.traceparent)).toEqual([
      ...[traced(1).traceparent, traced(1).traceparent],
    ])
  })

  it('are dropped if the collector refuses them, and nobody waits', async () => {
    await on.start({ OTEL_EXPORTER_OTLP_ENDPOINT: on.collector.url })
    on.collector.status = 500
    expect((await on.grant('ann', {})).status).toBe(200)
    await vi.waitFor(async () => {
      await on.tracer.close()
      expect(on.collector.requests).not.toEqual([])
    }, WAIT)
  })
})
