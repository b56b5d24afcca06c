import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import { fail } from '../../errors.ts'
import { BUYING_IS_PAUSED, onHoldFailure } from '../../hold/on-hold.ts'
import { type Kind, personName } from '../../kinds.ts'
import { type CheckoutRow, openCheckout, startCheckout } from '../../payments/checkouts.ts'
import { requireProvider } from '../../payments/desk.ts'
import { email } from '../../users/email.ts'
import { failureOf } from '../answers.ts'
import { isReader } from '../pages/failure-page.ts'
import { sendPage } from '../pages/page.ts'
import { buyPage } from './buy-page.ts'
import type { Filled } from './fields.ts'
import { readForm, requireOwnForm } from './form.ts'
import { type Offer, readVisit, type Visit } from './visit.ts'

type Route = { Params: { aid: string; rid: string } }

/** The page at which a purchase begins. */
export function buyRoutes(app: FastifyInstance, env: Environment): void {
  const visitOf = async ({ params, raw }: FastifyRequest<Route>) => {
    // The bytes of the wire, from /checkout/ on, as a link's signature covers them.
    const visit = await readVisit(env, params, (raw.url as string).slice(app.prefix.length))
    requireProvider(env)
    if (await env.isOnHold()) throw onHoldFailure(BUYING_IS_PAUSED)
    return visit
  }

  app.get<Route>('/checkout/:aid/:rid', async (request, reply) => {
    const visit = await visitOf(request)
    const filled = { values: { price: visit.chosen ?? '' }, problems: {} }
    return sendPage(env, reply, 200, buyPage(visit, filled))
  })

  app.post<Route>(
    '/checkout/:aid/:rid',
    { onRequest: requireOwnForm(env) },
    async (request, reply) => {
      const visit = await visitOf(request)
      const { filled, wish } = readBuyer(visit, readForm(request))
      if (!wish) {
        if (!isReader(request)) throw firstProblem(filled)
        return sendPage(env, reply, 422, buyPage(visit, filled))
      }
      try {
        return reply.redirect(await goOn(env, visit, wish), 303)
      } catch (error) {
        return answerTrouble(error, request, reply, visit, filled)
      }
    },
  )

  /** What may be over in a moment, or is no fault of the form, is said above the form. */
  function answerTrouble(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    visit: Visit,
    filled: Filled,
  ) {
    const failure = failureOf(error, request)
    const isMendable = ['provider_unavailable', 'already_subscribed'].includes(failure.code)
    if (!isMendable || !isReader(request)) throw failure
    return sendPage(env, reply, failure.status, buyPage(visit, filled, failure.message))
  }
}

const firstProblem = ({ problems }: Filled) =>
  fail('invalid_parameter', Object.entries(problems)[0]?.join(': '))

interface Wish {
  offer: Offer
  email: string | undefined
  firstName: string
  lastName: string
}

/** What the form says; no wish where something is wrong with it. */
function readBuyer(
  { offers, vouched }: Visit,
  form: Record<string, string>,
): { filled: Filled; wish: Wish | undefined } {
  const { price = '', email: typed = '', first_name = '', last_name = '' } = form
  const values = { price, email: typed, first_name, last_name }
  const problems: Record<string, string> = {}
  const check = (name: keyof typeof values, label: string, kind: Kind<string>) => {
    const result = values[name] === '' ? undefined : kind.read(values[name])
    if (typeof result === 'string') problems[name] = `${label} ${result}.`
  }
  const offer = offers.find(({ id }) => id === price)
  if (!offer) {
    problems.price =
      price === '' ? 'Choose one of the prices.' : 'This price is not offered any more.'
  }
  if (vouched?.email === undefined) {
    check('email', 'This', email)
    if (typed === '') problems.email = 'Enter your e-mail address.'
  }
  check('first_name', 'Your first name', personName)
  check('last_name', 'Your last name', personName)
  const isRight = offer !== undefined && Object.keys(problems).length === 0
  const typedEmail = vouched?.email === undefined ? typed : undefined
  return {
    filled: { values, problems },
    wish: isRight
      ? { offer, email: typedEmail, firstName: first_name, lastName: last_name }
      : undefined,
  }
}

/** Opens the checkout; returns the provider's page. */
async function goOn(env: Environment, visit: Visit, wish: Wish): Promise<string> {
  const { vouched } = visit
  const { id: _, amount, currency, recurring, period, trial_days } = wish.offer
  const checkout = await openCheckout(env, {
    aid: visit.app.aid,
    rid: visit.rid,
    terms: { amount, currency, recurring, period, trial_days },
    resource: vouched?.resource,
    userRef: vouched?.userRef,
    vouchedEmail: vouched?.email,
    typedEmail: wish.email,
    firstName: wish.firstName,
    lastName: wish.lastName,
    returnUrl: visit.returnUrl,
    keyMark: vouched?.keyMark,
    linkMark: vouched?.linkMark,
  })
  return await pageOfProvider(env, checkout)
}

/** Where the buyer pays, and comes back from; our own address of it holds nothing but the checkout. */
export async function pageOfProvider(env: Environment, checkout: CheckoutRow): Promise<string> {
  const done = `${env.address()}/checkout/done/${checkout.id}`
  return await startCheckout(env, checkout, { done, back: `${done}?gave_up=1` })
}
