import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../context.ts'
import type { Brand } from '../../domain/brand/brand.ts'
import type { Failure } from '../../errors.ts'
import { failureHeaders, sendFailure, toFailure } from '../responses.ts'
import { supportLink } from './brand.ts'
import { brandOfRequest } from './error-brand.ts'
import { type Html, html, NOTHING } from './html.ts'
import { type Page, sendPage } from './page.ts'
import { type ErrorText, type ErrorTexts, pageTexts } from './texts.ts'

/** Whether the client is a person with a browser, not a program. */
export function wantsHtml({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '')
}

/** Returns what a reader is told about a failure. Its own message is written for developers. */
export function errorTextFor({ code, status, retryAfter }: Failure, ofArea: ErrorTexts): ErrorText {
  const texts = pageTexts()
  const known = ofArea[code] ?? texts.errors[code]
  if (known) return known
  if (status === 404) return texts.notFound
  if (status === 410) return texts.gone
  if (status === 429) return texts.tooManyRequests(retryAfter)
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
  const brand = brandOfRequest(request)
  return {
    title,
    brand,
    content: html`<div class="card">
<h1>${title}</h1>
<p>${text}</p>
${nextStep(failure, request)}
${helpLine(brand)}
${env.name === 'sandbox' ? developerNote(failure) : NOTHING}
<p class="soft small">${pageTexts().requestId}: <code>${request.id}</code></p>
</div>`,
  }
}

const helpLine = (brand: Brand | undefined): Html =>
  brand === undefined || brand.supportEmail === null
    ? NOTHING
    : html`<p>${pageTexts().needHelp} ${supportLink(brand.supportEmail)}</p>`

/** A failed form has to be sent again from its own page. */
function nextStep({ status }: Failure, { method }: FastifyRequest): Html {
  if (status < 500 && status !== 429) return NOTHING
  const { tryAgain, sendFormAgain } = pageTexts()
  return method === 'GET'
    ? html`<p><a class="button" href="">${tryAgain}</a></p>`
    : html`<p>${sendFormAgain}</p>`
}

/** In the sandbox, a person who opens the page is most likely building a site. */
const developerNote = ({ code, message }: Failure) =>
  html`<p class="note small">${pageTexts().developerNote}: <code>${code}</code>. ${message}</p>`

/** Browsers get a page with the texts of its area, programs the same JSON as everywhere. */
export function sendErrorPages(app: FastifyInstance, env: Environment, ofArea: ErrorTexts): void {
  app.setErrorHandler((error, request, reply) => {
    sendError(env, request, reply, toFailure(error, request), ofArea)
  })
}

function sendError(
  env: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
  ofArea: ErrorTexts,
): void {
  if (!wantsHtml(request)) {
    sendFailure(request, reply, failure)
    return
  }
  reply.headers(failureHeaders(request, failure))
  sendPage(env, reply, failure.status, errorPage(env, failure, request, ofArea))
}

/** The paths of readers' pages. Below them, an unknown path or a wrong method gets a page too. */
const READER_PATH = /^\/(checkout|manage|test-cards|d|files|images)(\/|$)/

/** Sends the failure of a request that no route matches: a page to a reader, JSON to anyone else. */
export function sendUnmatched(
  environments: readonly { env: Environment; prefix: string }[],
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
): void {
  const path = (request.raw.url as string).split('?', 1)[0] as string
  const of = environments.find(
    ({ prefix }) => path.startsWith(prefix) && READER_PATH.test(path.slice(prefix.length)),
  )
  if (of) sendError(of.env, request, reply, failure, {})
  else sendFailure(request, reply, failure)
}
