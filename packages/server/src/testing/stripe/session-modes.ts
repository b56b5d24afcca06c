import { invalidRequest } from './errors.ts'
import type { Params } from './form.ts'

/** The parameters that Stripe takes for checkout pages of one mode only, which its types don't tell. */
const OF_ONE_MODE: Record<string, 'payment' | 'setup'> = {
  line_items: 'payment',
  payment_intent_data: 'payment',
  setup_intent_data: 'setup',
}

/** What a page of each mode can't be made without. */
const REQUIRED = { payment: ['line_items', 'success_url'], setup: ['currency', 'success_url'] }

export function requireParamsOfMode(mode: 'payment' | 'setup', params: Params): void {
  for (const [param, only] of Object.entries(OF_ONE_MODE)) {
    if (params[param] === undefined || mode === only) continue
    throw invalidRequest(`You can not pass \`${param}\` in \`${mode}\` mode.`, { param })
  }
  for (const param of REQUIRED[mode]) {
    if (params[param] !== undefined) continue
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
}
