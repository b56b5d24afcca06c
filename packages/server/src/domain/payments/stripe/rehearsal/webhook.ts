import { NEEDED_EVENTS } from '../events-needed.ts'
import { failed, type Rehearsal, type Step } from './step.ts'

export const webhookStep: Step = { name: 'webhook', isOptional: true, run: checkWebhook }

/** Checks only the configuration: the first received event proves whether the signing secret is right. */
async function checkWebhook({ more, webhookUrl: url }: Rehearsal): Promise<string> {
  if (url === undefined) return "Stripe can't reach this address, so payments settle by polling"
  const endpoints = await more.listEndpoints()
  const found = endpoints.find((one) => one.url === url)
  if (!found) throw failed(`no webhook endpoint leads to ${url}`)
  if (found.status !== 'enabled') throw failed(`the endpoint to ${url} is ${found.status}`)
  const missing = NEEDED_EVENTS.filter(
    (type) => !found.enabled_events.includes(type) && !found.enabled_events.includes('*'),
  )
  if (missing.length > 0) throw failed(`the endpoint lacks the events ${missing.join(', ')}`)
  return `events go to ${url}`
}
