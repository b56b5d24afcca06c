import type { FastifyInstance } from 'fastify'
import { prefixesOf } from '../../config/addresses.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import { wantsHtml } from '../pages/error-page.ts'
import { html } from '../pages/html.ts'
import { type Page, sendPage } from '../pages/page.ts'
import { homeTexts } from './texts.ts'

/** The page at the service's address, for people who open it in a browser. Programs get a 404, as at every path
 * without an endpoint. */
export function homeRoute(app: FastifyInstance, { config, environments }: Context): void {
  const page = homePage(prefixesOf(config).production, config.exposure.docs !== 'off')
  app.route({
    // All methods, so that a form or an API request here is answered like one at any unknown path.
    method: app.supportedMethods,
    url: '/',
    schema: { hide: true },
    async onRequest(request) {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (!isRead || !wantsHtml(request)) throw fail('path_not_found')
    },
    handler: (_, reply) => sendPage(environments.production, reply, 200, page),
  })
}

function homePage(prefix: string, hasReference: boolean): Page {
  const { title, intro, links, forReaders } = homeTexts()
  const entries = [
    { ...links.dashboard, path: '/dashboard/' },
    ...(hasReference ? [{ ...links.reference, path: '/docs' }] : []),
    { ...links.health, path: '/readyz' },
  ]
  const items = entries.map(
    ({ label, text, path }) => html`<li><a href="${prefix}${path}">${label}</a>
<span class="soft">${text}</span></li>`,
  )
  return {
    title,
    content: html`<header class="head">
<h1>${title}</h1>
<p>${intro}</p>
</header>
<div class="card">
<ul class="links">
${items}
</ul>
</div>
<p class="soft small">${forReaders}</p>`,
  }
}
