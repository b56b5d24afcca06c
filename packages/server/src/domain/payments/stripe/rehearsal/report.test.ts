import { describe, expect, it } from 'vitest'
import { useStripeProvider } from '../../../../testing/stripe/stripe-provider.ts'
import { describeAnswer } from './recorder.ts'
import { runRehearsal } from './rehearsal.ts'
import { formatReport } from './report.ts'

const { fake } = useStripeProvider()
const WEBHOOK_URL = 'https://gate.publisher.example/events/stripe'

describe('the report of a rehearsal', () => {
  it('has a row for each step, and nothing that names the installation, the account or a key', async () => {
    fake.fault = ({ route }) =>
      route === 'POST /v1/refunds'
        ? {
            status: 400,
            rewrite: () => ({
              error: {
                type: 'invalid_request_error',
                message: `ann@example.com, ${fake.secretKey}`,
                code: 'ann@example.com',
                param: `sk|test ${fake.secretKey}`,
                message_code: 'insufficient_balance_for_refund',
              },
            }),
          }
        : undefined
    const options = { secretKey: fake.secretKey, api: fake.url, webhookUrl: WEBHOOK_URL, waitMs: 0 }
    const steps = await runRehearsal(options)
    const report = formatReport(steps, { version: '1.2.3', webhookUrl: WEBHOOK_URL })
    expect(report).toContain('Gatehouse 1.2.3, Stripe API 2026-10-28.endive, ')
    expect(report.match(/^\| /gm)).toHaveLength(steps.length + 2)
    expect(report).toContain('the account is (account)')
    expect(report).toContain('no webhook endpoint leads to (webhook URL)')
    expect(report).toContain('message_code insufficient_balance_for_refund')
    expect(report).not.toMatch(/sk_test|whsec|@|publisher|acct_/)
  })

  it('says what expected answers look like where another came', () => {
    const step = {
      name: 'charge',
      status: 'differs' as const,
      message: 'the payment fails: declined',
      expected: 'status 402',
      answers: [{ call: 'POST /v1/payment_intents', status: 0 }],
    }
    const report = formatReport([step], { version: '1.2.3', webhookUrl: WEBHOOK_URL })
    expect(report).toContain(
      '| **differs** | charge | the payment fails: declined | status 402 | POST /v1/payment_intents: no answer |',
    )
  })

  it('writes an answer in a line', () => {
    const answer = {
      call: 'POST /v1/refunds',
      status: 400,
      type: 'invalid_request_error',
      param: 'amount',
      replayed: true as const,
      request: 'req_1',
    }
    expect(describeAnswer(answer)).toBe('400 invalid_request_error, param amount, replayed, req_1')
  })
})
