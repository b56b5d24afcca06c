import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { prefixesOf } from '../config/addresses.ts'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { wantsHtml } from './pages/error-page.ts'
import { html } from './pages/html.ts'
import { type Page, sendPage } from './pages/page.ts'
import { pageTexts } from './pages/texts.ts'

/** The pages of the sandbox that people open. Its API has signatures, and links to files are made by it. */
const READER_PAGE = /^\/(checkout|manage|test-cards|files)(\/|$)/

/** Below the prefix of an environment. */
const REFERENCE = /^\/(docs|openapi\.json)(\/|$)/

/** Closes the sandbox and the reference to everybody, or to all but members of the team, as the settings say. `isMember`
 * says whether a request comes from a browser in which a member is signed in. */
export function limitExposure(
  app: FastifyInstance,
  { config, environments }: Context,
  isMember: (request: FastifyRequest) => Promise<boolean>,
): void {
  const { sandbox, docs } = config.exposure
  if (sandbox === 'on' && docs === 'on') return
  const prefixes = prefixesOf(config)
  const page = membersPage(`${prefixes.production}/dashboard/`)

  async function requireMember(request: FastifyRequest, reply: FastifyReply) {
    if (await isMember(request)) return
    const failure = fail('members_only')
    if (!wantsHtml(request)) throw failure
    return sendPage(environments.production, reply, failure.status, page)
  }

  app.addHook('onRequest', async (request, reply) => {
    // The route, and not the target: it can be written in one way only.
    const { url } = request.routeOptions
    if (url === undefined || request.isSelfRequest) return
    const isInSandbox = url.startsWith(`${prefixes.sandbox}/`)
    const path = url.slice(prefixes[isInSandbox ? 'sandbox' : 'production'].length)
    if (isInSandbox && sandbox === 'off') throw fail('sandbox_off')
    if (REFERENCE.test(path)) {
      // The dashboard builds its console from the contract.
      if (docs === 'off' && (path !== '/openapi.json' || !(await isMember(request)))) {
        throw fail('path_not_found')
      }
      if (docs === 'members') return await requireMember(request, reply)
    }
    if (isInSandbox && sandbox === 'members' && READER_PAGE.test(path)) {
      return await requireMember(request, reply)
    }
  })
}

/** A link from another site comes without the cookie of the session; one from this page comes with it. */
function membersPage(dashboard: string): Page {
  const { title, text, openAgain, signIn } = pageTexts().membersOnly
  return {
    title,
    content: html`<div class="card">
<h1>${title}</h1>
<p>${text}</p>
<p><a class="button" href="">${openAgain}</a></p>
<p><a href="${dashboard}">${signIn}</a></p>
</div>`,
  }
}
