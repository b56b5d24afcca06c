import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../../context.ts'
import type { Seconds } from '../../../db/tables.ts'
import { findCheckoutById } from '../../../domain/payments/checkout/checkouts.ts'
import { findTestCard } from '../../../domain/payments/test-cards/cards.ts'
import type { TestSession } from '../../../domain/payments/test-cards/sessions.ts'
import type { TestCards } from '../../../domain/payments/test-cards/test-cards.ts'
import { fail } from '../../../errors.ts'
import { readForm, requireOwnForm } from '../../pages/form.ts'
import type { FormState } from '../../pages/form-fields.ts'
import { formatsFor } from '../../pages/locale.ts'
import { sendPage } from '../../pages/page.ts'
import type { CheckoutLimits } from '../limits.ts'
import { checkoutTexts } from '../texts.ts'
import { testPaymentPage } from './page.ts'

type Route = { Params: { session: string } }

/** Routes of the built-in test provider's card page; 404 with any other provider. */
export function testCardRoutes(
  app: FastifyInstance,
  env: Environment,
  limits: CheckoutLimits,
): void {
  app.get<Route>('/test-cards/:session', async (request, reply) => {
    const session = await getSession(env, request.params.session)
    if (session.status === 'paid') return reply.redirect(session.doneUrl, 303)
    return sendPage(env, reply, 200, await pageFor(session, EMPTY_FORM, request))
  })

  app.post<Route>(
    '/test-cards/:session',
    { onRequest: [requireOwnForm(env), limits.countForm] },
    async (request, reply) => {
      const id = request.params.session
      const session = await getSession(env, id)
      const state = readCard(readForm(request), env.clock())
      const { number = '' } = state.values
      if (Object.keys(state.problems).length === 0) {
        limits.countTestPayment()
        const outcome = await cardsOf(env).pay(id, number)
        if (outcome === 'expired') throw fail('checkout_expired')
        // Paid, or no answer: the next page asks the provider.
        if (outcome !== 'declined') return reply.redirect(session.doneUrl, 303)
        state.problems.number = checkoutTexts().testCards.problems.declined
      }
      return sendPage(env, reply, 422, await pageFor(session, state, request))
    },
  )

  const pageFor = async (session: TestSession, form: FormState, request: FastifyRequest) =>
    testPaymentPage(
      session,
      form,
      await formTargetsOf(env, session),
      formatsFor(request, ANY_PLACE),
    )
}

/** The page shows no dates, so any time zone will do. */
const ANY_PLACE = { timeZone: 'UTC' }

const EMPTY_FORM: FormState = { values: { expiry: '12/99', cvc: '123' }, problems: {} }

function cardsOf({ provider }: Environment): TestCards {
  if (!provider || !('pay' in provider)) throw fail('path_not_found')
  return provider as TestCards
}

async function getSession(env: Environment, id: string): Promise<TestSession> {
  const session = await cardsOf(env).session(id)
  if (!session) throw fail('checkout_not_found')
  if (session.status === 'expired') throw fail('checkout_expired')
  return session
}

/** Returns where the form's redirects may end besides this service: at the application's return URL. */
async function formTargetsOf(env: Environment, { doneUrl }: TestSession): Promise<string[]> {
  const id = doneUrl.slice(doneUrl.lastIndexOf('/') + 1)
  const { return_url } = (await findCheckoutById(env.database.read, id)) ?? {}
  return return_url ? [return_url] : []
}

/** Echoes only the numbers of test cards: anything else that was typed may be a real card. */
function readCard(form: Record<string, string>, now: Seconds) {
  const { number = '', expiry = '', cvc = '' } = form
  const isKnown = findTestCard(number) !== undefined
  const problems: Record<string, string> = {}
  const texts = checkoutTexts().testCards.problems
  if (!isKnown) problems.number = texts.number
  if (!isFutureMonth(expiry, now)) problems.expiry = texts.expiry
  if (!/^\d{3,4}$/.test(cvc)) problems.cvc = texts.cvc
  const values = isKnown ? { number, expiry, cvc } : { number: '', ...EMPTY_FORM.values }
  return { values, problems }
}

function isFutureMonth(expiry: string, now: Seconds): boolean {
  const [, month, year] = /^(0?[1-9]|1[0-2]) ?[/-]? ?(\d\d)$/.exec(expiry) ?? []
  return month !== undefined && Date.UTC(2000 + Number(year), Number(month)) / 1000 > now
}
