import { invalidRequest, type StripeError } from '../errors.ts'
import { type Params, textsAt } from '../form.ts'
import { readsOfAdapter } from './adapter-reads.ts'
import { type AnswerRules, judgeValue } from './judge-answer.ts'
import { judgeExpand } from './judge-expand.ts'
import { judgeRequest } from './judge-request.ts'
import { stripeTypes } from './load-types.ts'
import { alternativesOf, type Shape, type StripeTypes } from './shapes.ts'
import { noteViolation } from './violations.ts'

/** Fields of errors that Stripe sends and its types don't have. */
const UNTYPED_ERROR_FIELDS = ['message_code']

/**
 * Compares requests, answers and events with the types in the installed `stripe` package. What contradicts them is
 * noted, and fails the test. `isOdd` names objects that contradict them on purpose.
 */
export function createJudge(isOdd: AnswerRules['isOdd']) {
  const types = stripeTypes()
  const rules: AnswerRules = { types, reads: readsOnce(types), isOdd }
  return {
    apiVersion: types.apiVersion,

    /** Returns the handler of a route, or throws Stripe's error for an unknown one. */
    requireRoute<T>(route: string, handlers: Readonly<Record<string, T>>): T {
      const handler = handlers[route]
      const isKnown = types.routes[route] !== undefined
      if (handler !== undefined && isKnown) return handler
      noteViolation(`${route}: ${isKnown ? 'the fake' : 'Stripe'} has no such route`)
      throw invalidRequest(`Unrecognized request URL (${route}).`, {}, 404)
    },

    /** Stripe takes the version of the account if a request has none, and that one may be of any age. */
    requireVersion(version: unknown): void {
      if (version === types.apiVersion) return
      noteViolation(`Stripe-Version is ${version}; the types are made for ${types.apiVersion}`)
      throw invalidRequest(`Invalid Stripe API version: ${version}`)
    },

    /** Throws Stripe's error for a parameter or an expansion that it does not accept. */
    requireValid(route: string, params: Params): void {
      const problems = judgeRequest(types, route, params)
      for (const { param, message } of problems) {
        noteViolation(`${route}: parameter \`${param}\`: ${message}`)
      }
      const [first] = problems
      if (first) throw invalidRequest(first.message, first)
      for (const path of Object.values(textsAt(params, 'expand'))) {
        const problem = judgeExpand(types, route, path)
        if (problem === undefined) continue
        noteViolation(`${route}: ${problem}`)
        throw invalidRequest(problem)
      }
    },

    noteAnswer(route: string, body: unknown): void {
      const shape = types.routes[route]?.answer ?? 'anything'
      note(route, judgeValue(rules, shape, body, 'answer'))
    },

    noteError(route: string, error: StripeError): void {
      const typed = Object.entries(error).filter(([name]) => !UNTYPED_ERROR_FIELDS.includes(name))
      note(route, judgeValue(rules, errorShape(types), Object.fromEntries(typed), 'error'))
    },

    noteEvent(type: string, about: object): void {
      const shape = types.events[type]
      if (!shape) noteViolation(`event ${type}: Stripe has no such event`)
      else note(`event ${type}`, judgeValue(rules, shape, about, 'object'))
    },
  }
}

function note(where: string, problems: readonly string[]): void {
  for (const problem of problems) noteViolation(`${where}: ${problem}`)
}

/** An error of an answer has the same fields as the last error of a payment. */
const errorShape = (types: StripeTypes): Shape => {
  const last = types.objects['PaymentIntents.PaymentIntent']?.last_payment_error?.shape ?? 'null'
  return alternativesOf(last).find((one) => one !== 'null') ?? 'anything'
}

let reads: AnswerRules['reads'] | undefined

function readsOnce(types: StripeTypes): AnswerRules['reads'] {
  reads ??= readsOfAdapter(types).reads
  return reads
}
