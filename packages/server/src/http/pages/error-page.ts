import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import type { Failure } from '../../errors.ts'
import { failureHeaders, sendFailure, toFailure } from '../responses.ts'
import { type Html, html, NOTHING } from './html.ts'
import { type Page, sendPage } from './page.ts'
import { type ErrorText, type ErrorTexts, pageTexts } from './texts.ts'

/** Whether the client is a person with a browser, not a program. */
export function wantsHtml({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}

/** Returns what a reader is told about a failure. Its own message is written for developers. */
export function errorTextFor({ code, status }: Failure, ofArea: ErrorTexts): ErrorText {
  const texts = pageTexts()
  const known = ofArea[code] ?? texts.errors[code]
  if (known) return known
  if (status === 404) return texts.notFound
  if (status === 429) return texts.tooManyRequests
  if (status === 503) return texts.unavailable
  return status >= 500 ? texts.serverError : texts.badRequest
}

function errorPage(
  env: Environment,
  failure: Failure,
  request: FastifyRequest,
  ofArea: ErrorTexts,
): Page {
  const { title, text } = errorTextFor(failure, ofArea)
  return {
    title,
    content: html`<div class="card">
<h1>${title}</h1>
<p>${text}</p>
${nextStep(failure, request)}
${env.name === 'sandbox' ? developerNote(failure) : NOTHING}
<p class="soft small">${pageTexts().requestId}: <code>${request.id}</code></p>
</div>`,
  }
}

/** A failed form has to be sent again from its own page. */
function nextStep({ status }: Failure, { method }: FastifyRequest): Html {
  if (status < 500 && status !== 429) return NOTHING
  const { tryAgain, sendFormAgain } = pageTexts()
  return method === 'GET'
    ? html`<p><a class="button" href="">${tryAgain}</a></p>`
    : html`<p>${sendFormAgain}</p>`
}

/** In the sandbox, whoever opens the page is most likely building a site. */
const developerNote = ({ code, message }: Failure) =>
  html`<p class="note small">${pageTexts().developerNote}: <code>${code}</code>. ${message}</p>`

/** Browsers get a page with the texts of its area, programs the same JSON as everywhere. */
export function sendErrorPages(app: FastifyInstance, env: Environment, ofArea: ErrorTexts): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = toFailure(error, request)
    if (!wantsHtml(request)) return sendFailure(request, reply, failure)
    reply.headers(failureHeaders(request, failure))
    return sendPage(env, reply, failure.status, errorPage(env, failure, request, ofArea))
  })
}
