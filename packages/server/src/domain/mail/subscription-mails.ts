import { FOREVER, type Seconds } from '../../db/tables.ts'
import { formatDay, formatMoment } from '../../language.ts'
import { showMoney } from '../apps/currency.ts'
import type { Fact } from './html.ts'
import { button, fact, facts, link, type MailText, text } from './layout.ts'
import type { CanceledMail, PaymentFailedMail, TrialEndsMail } from './payloads.ts'
import { mailTexts } from './texts.ts'

function failureOf(mail: PaymentFailedMail) {
  const { what, reasons, otherReason } = mailTexts().paymentFailed
  const { why, advice } = new Map(Object.entries(reasons)).get(mail.failure) ?? otherReason
  return { what: what(showMoney(mail.amount, mail.currency), mail.resource, why), advice }
}

/** Leaves the access out if it has no end date, since the subscription does not affect it. */
function accessFact({ at, ends }: { at: Seconds; ends: Seconds }): Fact {
  const { labels } = mailTexts()
  if (ends === FOREVER) return fact(labels.access)
  return fact(ends > at ? labels.accessUntil : labels.accessEnded, formatMoment(ends))
}

export function paymentFailedText(mail: PaymentFailedMail, manage: string): MailText {
  const { at, ends, retry } = mail
  if (retry === null && (ends <= at || ends === FOREVER)) return endedUnpaid(mail, manage)
  const { labels, actions, paymentFailed: texts } = mailTexts()
  const { what, advice } = failureOf(mail)
  return {
    subject: texts.subject(mail.resource),
    heading: texts.heading,
    body: [
      text(what),
      facts(
        fact(labels.subscription, mail.resource),
        fact(labels.amount, showMoney(mail.amount, mail.currency)),
        fact(labels.tried, formatMoment(at)),
        fact(labels.nextTry, retry === null ? '' : formatMoment(retry)),
        accessFact(mail),
      ),
      // The grace period may continue after the last attempt.
      text(retry === null ? texts.lastTry(formatMoment(ends)) : ''),
      text(advice),
      button(actions.updateCard, manage),
    ],
  }
}

function endedUnpaid(mail: PaymentFailedMail, manage: string): MailText {
  const { labels, actions, endedUnpaid: texts } = mailTexts()
  return {
    subject: texts.subject(mail.resource),
    heading: texts.heading,
    body: [
      text(texts.what(failureOf(mail).what)),
      facts(
        fact(labels.subscription, mail.resource),
        fact(labels.notPaid, showMoney(mail.amount, mail.currency)),
        fact(labels.ended, formatMoment(mail.at)),
        accessFact(mail),
      ),
      link(actions.see, manage),
    ],
  }
}

export function trialEndsText(mail: TrialEndsMail, manage: string): MailText {
  const { labels, actions, paymentOn, trialEnds: texts } = mailTexts()
  const price = showMoney(mail.amount, mail.currency)
  const interval = mailTexts().interval(mail.period)
  const ends = formatMoment(mail.ends)
  return {
    subject: texts.subject(mail.resource, formatDay(mail.ends)),
    heading: texts.heading,
    body: [
      text(texts.costsThen(mail.resource, ends, price, interval)),
      facts(
        fact(labels.subscription, mail.resource),
        fact(labels.freeUntil, ends),
        fact(labels.firstPayment, paymentOn(price, ends)),
        fact(labels.afterThat, `${price} ${interval}`),
      ),
      text(texts.keepOrCancel),
      button(actions.manageOrCancel, manage),
    ],
  }
}

export function canceledText(mail: CanceledMail, manage: string): MailText {
  const { labels, actions, canceled: texts } = mailTexts()
  const { resource, at, ends } = mail
  const canResume = ends > at
  const hasEnd = canResume && ends !== FOREVER
  return {
    subject: texts.subject(resource),
    heading: texts.heading,
    body: [
      text(hasEnd ? texts.accessUntil(resource, formatMoment(ends)) : texts.over(resource)),
      facts(
        fact(labels.subscription, resource),
        fact(labels.canceled, formatMoment(at)),
        accessFact(mail),
      ),
      text(canResume ? texts.canResume : ''),
      canResume ? button(actions.resume, manage) : link(actions.see, manage),
    ],
  }
}
