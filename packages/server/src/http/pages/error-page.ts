import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import type { Failure, FailureCode } from '../../errors.ts'
import { answerFailure, failureHeaders, failureOf } from '../answers.ts'
import { type Html, html, NOTHING } from './html.ts'
import { type Page, sendPage } from './page.ts'

/** Whether the client is a person with a browser, not a program. */
export function wantsHtml({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}

const TITLES: Partial<Record<FailureCode, string>> = {
  link_invalid: 'This link does not work',
  link_expired: 'This link has expired',
  checkout_expired: 'This payment page has expired',
  link_used: 'This link was used already',
  access_ended: 'Your access has ended',
  foreign_form: 'This did not come from our page',
  already_subscribed: 'You are subscribed already',
  on_hold: 'Buying is paused',
  payments_not_set_up: 'Payments are not set up',
  price_not_found: 'Nothing is for sale here',
}

function titleOf({ code, status }: Failure): string {
  const known = TITLES[code]
  if (known !== undefined) return known
  if (status === 404) return 'There is nothing here'
  if (status === 429) return 'Too many requests'
  return status >= 500 ? 'That did not work' : 'That can’t be done'
}

function failurePage(failure: Failure, request: FastifyRequest): Page {
  const title = titleOf(failure)
  return {
    title,
    content: html`<div class="card">
<h1>${title}</h1>
<p>${failure.message}</p>
${adviceFor(failure, request)}
<p class="soft small">Request <code>${request.id}</code></p>
</div>`,
  }
}

/** A form that failed must be sent again from its own page. */
function adviceFor({ status }: Failure, { method }: FastifyRequest): Html {
  if (status === 404)
    return html`<p>The address may be incomplete. Try again where you found it.</p>`
  if (status < 500 && status !== 429) return NOTHING
  return method === 'GET'
    ? html`<p><a class="button" href="">Try again</a></p>`
    : html`<p>Go back to the page before, and send the form again.</p>`
}

/** Browsers get a page, programs the same JSON as everywhere. */
export function sendErrorPages(app: FastifyInstance, env: Environment): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error, request)
    if (!wantsHtml(request)) return answerFailure(request, reply, failure)
    reply.headers(failureHeaders(request, failure))
    return sendPage(env, reply, failure.status, failurePage(failure, request))
  })
}
