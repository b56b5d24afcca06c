import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import type { Seconds } from '../../db/tables.ts'
import { brandOf } from '../../domain/brand/brand.ts'
import { onHoldFailure } from '../../domain/hold/on-hold.ts'
import {
  type CheckoutRow,
  createCheckout,
  startCheckout,
} from '../../domain/payments/checkout/checkouts.ts'
import {
  type Offer,
  type PurchaseLink,
  readPurchaseLink,
} from '../../domain/payments/checkout/purchase-link.ts'
import { requireProvider } from '../../domain/payments/context.ts'
import type { SubscriptionRow } from '../../domain/subscriptions/subscriptions.ts'
import { email } from '../../domain/users/email.ts'
import { findLinkNumber } from '../../domain/users/reader-links.ts'
import { type Failure, fail, invalid } from '../../errors.ts'
import { type Field, personName, refined } from '../../fields.ts'
import { rememberBrand, rememberBrandOf } from '../pages/error-brand.ts'
import { errorTextFor, wantsHtml } from '../pages/error-page.ts'
import { readForm, requireOwnForm } from '../pages/form.ts'
import type { FormState } from '../pages/form-fields.ts'
import { coverImage } from '../pages/image.ts'
import { formatsFor } from '../pages/locale.ts'
import { type Page, sendPage } from '../pages/page.ts'
import { headersFor } from '../response-headers.ts'
import { toFailure } from '../responses.ts'
import { type BuyPageData, buyPage, TRIAL_USED_FIELD } from './buy-page.ts'
import { loadFiles } from './files.ts'
import type { CheckoutLimits } from './limits.ts'
import type { StartedCheckout } from './open-checkouts.ts'
import { checkoutTexts } from './texts.ts'

type Route = { Params: { aid: string; rid: string } }

/** Routes of the page where a purchase begins. */
export function buyRoutes(app: FastifyInstance, env: Environment, limits: CheckoutLimits): void {
  const openPurchaseLink = async (request: FastifyRequest<Route>, typedEmail?: string) => {
    const { params, raw } = request
    // The raw request target from /checkout/ on: exactly what a link's signature covers.
    const target = (raw.url as string).slice(app.prefix.length)
    const link = await readPurchaseLink(env, params, target, typedEmail).catch(async (error) => {
      await rememberBrandOf(env, request, params.aid)
      throw error
    })
    rememberBrand(request, brandOf(link.app))
    requireProvider(env)
    if (await env.isOnHold()) throw onHoldFailure(checkoutTexts().errors.on_hold?.text)
    return link
  }

  app.get<Route>('/checkout/:aid/:rid', async (request, reply) => {
    const link = await openPurchaseLink(request)
    const form = { values: { price: link.chosen ?? '' }, problems: {} }
    return sendPage(env, reply, 200, await pageFor(env, request, { link, form }))
  })

  app.post<Route>(
    '/checkout/:aid/:rid',
    { onRequest: [requireOwnForm(env), limits.countForm] },
    async (request, reply) => {
      const form = readForm(request)
      const link = await openPurchaseLink(request, validEmailIn(form))
      const { state, input } = readBuyer(link, form)
      if (!input) {
        if (!wantsHtml(request)) throw firstProblem(state)
        return sendPage(env, reply, 422, await pageFor(env, request, { link, form: state }))
      }
      if (!matchesShownTerms(input.offer, form))
        return showNewTerms(env, request, reply, { link, form: state })
      try {
        const start = () => startPurchase(env, link, input)
        return reply.redirect(await limits.begin(request, start), 303)
      } catch (error) {
        return answerFailedPurchase(error, request, reply, state)
      }
    },
  )

  /** Shows the form again with what went wrong above it: a failure that may be over at the next try, or one that no field
   * of the form has caused. Other failures get an error page. */
  async function answerFailedPurchase(
    error: unknown,
    request: FastifyRequest<Route>,
    reply: FastifyReply,
    state: FormState,
  ) {
    const failure = toFailure(error, request)
    const shownOnForm = [
      'provider_unavailable',
      'already_subscribed',
      'trial_used',
      'too_many_requests',
    ]
    if (!shownOnForm.includes(failure.code) || !wantsHtml(request)) throw failure
    const link = await openPurchaseLink(request, validEmailIn(state.values))
    const { text: problem } = errorTextFor(failure, checkoutTexts().errors)
    const page = await pageFor(env, request, { link, form: state, problem })
    reply.headers(headersFor(failure))
    return sendPage(env, reply, failure.status, page)
  }
}

type Shown = Pick<BuyPageData, 'link' | 'form' | 'problem'>

/** How long the page of the subscription can be opened from the checkout page. */
const MANAGE_FROM_CHECKOUT_SECONDS = 3_600

async function pageFor(env: Environment, request: FastifyRequest, shown: Shown): Promise<Page> {
  const { app, owned, imageId } = shown.link
  const now = env.clock()
  const manageUrl = await manageUrlOf(env, owned?.subscription, now)
  return buyPage({
    ...shown,
    formats: formatsFor(request, brandOf(app)),
    now,
    sendsMail: env.delivery === 'queued',
    cover: coverImage(env, app.aid, imageId),
    files: await loadFiles(env, owned?.access),
    manageUrl,
  })
}

async function manageUrlOf(
  env: Environment,
  subscription: SubscriptionRow | undefined,
  now: Seconds,
): Promise<string | undefined> {
  if (!subscription) return undefined
  const linkNumber = await findLinkNumber(env.database.read, subscription)
  return await env.manageLink({ ...subscription, linkNumber }, now, MANAGE_FROM_CHECKOUT_SECONDS)
}

/** Shows the page again with the new terms: a buyer is never charged on terms that the form did not show. */
async function showNewTerms(
  env: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: Shown,
) {
  const problem = trialNotice(shown.link, shown.form)
  if (!wantsHtml(request)) throw fail('trial_used', problem)
  return sendPage(env, reply, 422, await pageFor(env, request, { ...shown, problem }))
}

/** A typed address needs a domain with a dot. `carol@nowhere` is a valid address elsewhere, but here it is a typing
 * error, and no receipt would arrive. */
const typedEmail = refined(email, (text) => (/@.*\./.test(text) ? undefined : 'has no domain'))

/** Returns the typed email address if it is valid. */
function validEmailIn({ email: typed = '' }: Readonly<Record<string, string>>): string | undefined {
  const read = typedEmail.read(typed)
  return typeof read === 'string' ? undefined : read.value
}

/** Whether the form showed the terms that apply now. A hidden field records what it showed: the trial may have
 * been used since, in another window or with the address that was typed. */
function matchesShownTerms(offer: Offer, form: Record<string, string>): boolean {
  const hasTrial = offer.trial_days > 0 || offer.isTrialUsed
  return !hasTrial || offer.isTrialUsed === (form[TRIAL_USED_FIELD] !== undefined)
}

/** Tells the buyer that the trial was used, or is available after all. It must not reveal more about the typed address,
 * such as whether it belongs to somebody. */
function trialNotice({ offers, vouched }: PurchaseLink, { values }: FormState): string {
  const offer = offers.find(({ id }) => id === values.price)
  const { trialUsed, trialAvailable } = checkoutTexts().buy
  const isAddressTyped = vouched?.email === undefined
  return offer?.isTrialUsed ? trialUsed(isAddressTyped) : trialAvailable(isAddressTyped)
}

function firstProblem({ problems }: FormState): Failure {
  const [name = '', problem = ''] = Object.entries(problems)[0] ?? []
  return invalid(name, problem)
}

interface PurchaseInput {
  offer: Offer
  email: string | undefined
  firstName: string
  lastName: string
}

/** Reads the form; the order is undefined if a field is invalid. */
function readBuyer(
  { offers, vouched }: PurchaseLink,
  form: Record<string, string>,
): { state: FormState; input: PurchaseInput | undefined } {
  const { price = '', email: typed = '', first_name = '', last_name = '' } = form
  const values = { price, email: typed, first_name, last_name }
  const problems: Record<string, string> = {}
  const texts = checkoutTexts().buy.problems
  const check = (name: keyof typeof values, field: Field<string>, problem: string) => {
    if (values[name] !== '' && typeof field.read(values[name]) === 'string')
      problems[name] = problem
  }
  const offer = offers.find(({ id }) => id === price)
  if (!offer) problems.price = price === '' ? texts.offerMissing : texts.offerGone
  if (vouched?.email === undefined) {
    check('email', typedEmail, texts.emailInvalid)
    if (typed === '') problems.email = texts.emailMissing
  }
  check('first_name', personName, texts.firstNameInvalid)
  check('last_name', personName, texts.lastNameInvalid)
  const isRight = offer !== undefined && Object.keys(problems).length === 0
  return {
    state: { values, problems },
    input: isRight
      ? {
          offer,
          email: vouched?.email === undefined ? typed : undefined,
          firstName: first_name,
          lastName: last_name,
        }
      : undefined,
  }
}

async function startPurchase(
  env: Environment,
  link: PurchaseLink,
  input: PurchaseInput,
): Promise<StartedCheckout> {
  const { vouched } = link
  const { amount, currency, recurring, period, trial_days } = input.offer
  const checkout = await createCheckout(env, {
    aid: link.app.aid,
    rid: link.rid,
    terms: { amount, currency, recurring, period, trial_days },
    resource: vouched?.resource,
    userRef: vouched?.userRef,
    vouchedEmail: vouched?.email,
    typedEmail: input.email,
    firstName: input.firstName,
    lastName: input.lastName,
    returnUrl: link.returnUrl,
    keyFingerprint: vouched?.keyFingerprint,
    linkDigest: vouched?.linkDigest,
  })
  return await startAtProvider(env, checkout)
}

/** Opens the provider's page of a new checkout. */
export const startAtProvider = async (
  env: Environment,
  checkout: CheckoutRow,
): Promise<StartedCheckout> => ({ checkout, url: await providerPageUrl(env, checkout) })

/** Returns the URL of the provider's page. The return URLs given to the provider identify nothing but the checkout. */
export async function providerPageUrl(env: Environment, checkout: CheckoutRow): Promise<string> {
  const done = `${env.address()}/checkout/done/${checkout.id}`
  return await startCheckout(env, checkout, { done, back: `${done}?gave_up=1` })
}
