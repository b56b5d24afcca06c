import { FOREVER } from '../../db/tables.ts'
import type { Formats } from '../../domain/brand/formats.ts'
import type { OpenPass, Owned } from '../../domain/payments/checkout/owned.ts'
import { dayHtml } from '../pages/date.ts'
import { fileList } from '../pages/file-list.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import type { FilesPart } from './files.ts'
import { openLink } from './open-link.ts'
import { checkoutTexts } from './texts.ts'

/** The access that the reader already has, with the links that belong to it. */
export interface OwnedPart extends Owned {
  title: string
  /** The page of the resource; may be empty. */
  url: string
  /** The page of the reader's subscription. */
  manageUrl: string | undefined
  files: FilesPart
}

/** Tells a reader who is known what they already have, before they pay for it again. */
export function ownedNote(owned: OwnedPart, formats: Formats, canExtend: boolean): Html {
  const texts = checkoutTexts().buy.owned
  const manage =
    owned.manageUrl === undefined
      ? NOTHING
      : html`<a class="button quiet" href="${owned.manageUrl}">${texts.manage}</a>`
  return html`<section class="card owned" aria-labelledby="owned">
<h2 id="owned">${texts.heading}</h2>
<p>${sentence(owned, formats)}</p>
${fileList(owned.files.files, owned.files.url)}
<div class="actions">${manage}
${owned.files.isLive ? openLink(owned) : NOTHING}</div>
${canExtend ? html`<p class="soft small">${texts.extend}</p>` : NOTHING}
</section>`
}

/** Tells a reader who is known that a pass opens this to them already. They may buy it all the same. */
export function passNote(
  { title, url, pass }: { title: string; url: string; pass: OpenPass },
  formats: Formats,
): Html {
  const texts = checkoutTexts().buy.owned
  const through =
    pass.ends === FOREVER
      ? texts.throughPass(title, pass.name)
      : texts.throughPassUntil(title, pass.name, dayHtml(pass.ends, formats))
  return html`<section class="card owned" aria-labelledby="owned">
<h2 id="owned">${texts.alreadyOpen}</h2>
<p>${through}</p>
<div class="actions">${openLink({ url, title })}</div>
</section>`
}

function sentence({ title, ends, subscription }: OwnedPart, formats: Formats): Html {
  const texts = checkoutTexts().buy.owned
  if (ends === FOREVER) return texts.lifetime(title)
  if (subscription) {
    const { status, current_period_end } = subscription
    const end = dayHtml(current_period_end, formats)
    if (status === 'past_due') return texts.pastDue(title)
    return status === 'canceled' ? texts.canceled(title, end) : texts.renews(title, end)
  }
  return texts.until(title, dayHtml(ends ?? 0, formats))
}
