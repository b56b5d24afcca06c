import { pluralize } from './format.ts'
import { accessTexts } from './texts/access.ts'
import {
  accountTexts,
  confirmIdentityTexts,
  forgottenTexts,
  linkTexts,
  passkeyStepTexts,
  signInTexts,
  signOutTexts,
} from './texts/account.ts'
import { connectionTexts, setUpTexts } from './texts/connections.ts'
import { copyTexts } from './texts/copy.ts'
import { developersTexts } from './texts/developers.ts'
import { figuresTexts } from './texts/figures.ts'
import { deliveriesTexts, downloadsTexts } from './texts/files.ts'
import { importTexts } from './texts/import.ts'
import { listTexts, viewsTexts } from './texts/lists.ts'
import { mailsTexts } from './texts/mails.ts'
import { paymentsTexts, subscriptionsTexts } from './texts/money.ts'
import { notificationsTexts } from './texts/notifications.ts'
import { opensTexts } from './texts/opens.ts'
import { overviewTexts } from './texts/overview.ts'
import { peopleTexts } from './texts/people.ts'
import { recordsTexts } from './texts/records.ts'
import { resourcesTexts } from './texts/resources.ts'
import { brandTexts, newApplicationTexts, settingsTexts } from './texts/settings.ts'
import { auditTexts, roleTexts, teamTexts } from './texts/team.ts'
import { tokensTexts } from './texts/tokens.ts'
import { webhooksTexts } from './texts/webhooks.ts'

/** All UI texts, by where they appear. A translation replaces this file, those in texts/, and LOCALE in format.ts. */
export const texts = {
  product: 'Gatehouse',
  title: (page: string, application?: string) =>
    application === undefined ? `${page} · Gatehouse` : `${page} · ${application} · Gatehouse`,

  common: {
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    back: 'Back',
    add: 'Add',
    remove: 'Remove',
    rename: 'Rename',
    copy: 'Copy',
    copied: 'Copied',
    copyThis: (what: string) => `Copy ${what}`,
    linkUntil: 'Valid until',
    done: 'Done',
    undo: 'Undo',
    again: 'Try again',
    more: 'More actions',
    actionsFor: (name: string) => `Actions for ${name}`,
    actionOn: (action: string, name: string) => `${action}: ${name}`,
    optional: 'optional',
    none: 'None',
    never: 'never',
    saved: 'Saved.',
    loading: 'Loading…',
    wait: 'One moment…',
    show: 'Show',
    hide: 'Hide',
  },

  errors: {
    title: 'Something went wrong',
    unreachable: 'Can’t reach the server. Check your connection and try again.',
    unreadable: 'The server sent an unexpected response. Try again in a moment.',
    stopped: 'Upload canceled.',
    required: 'This field is required.',
    email: 'Enter a valid email address.',
    notFoundTitle: 'Page not found',
    notFound: 'The address may be mistyped, or the record no longer exists.',
    toStart: 'Go to the start page',
    notAllowedTitle: 'Your role can’t open this page',
    notAllowed: (role: string) => `You are signed in as ${role}. An owner can change your role.`,
    tooMany: (seconds: number) =>
      seconds < 90
        ? `Too many attempts. Try again in ${pluralize(seconds, 'second', 'seconds')}.`
        : `Too many attempts. Try again in ${pluralize(Math.ceil(seconds / 60), 'minute', 'minutes')}.`,
    page: 'This page can’t be displayed. Reload it. If that doesn’t help, contact the person who runs this server.',
    reload: 'Reload',
  },

  ...roleTexts,

  states: {
    live: 'Live',
    ending: 'Ending',
    ended: 'Ended',
    failed: 'Failed',
  },

  list: listTexts,
  views: viewsTexts,

  chart: {
    showTable: 'Show as a table',
    hideTable: 'Show as a chart',
  },

  confirm: {
    type: (text: string) => `Type ${text} to confirm`,
  },

  file: {
    drop: {
      file: 'Drop a file here, or',
      files: 'Drop files here, or',
      image: 'Drop an image here, or',
    },
    choose: { file: 'choose a file', files: 'choose files', image: 'choose an image' },
    place: (place: number, count: number) => `File ${place} of ${count}`,
    sending: (name: string) => `Uploading ${name}`,
    percent: (part: number) => `${Math.floor(part * 100)}%`,
    stop: 'Cancel upload',
  },

  image: {
    replace: 'Replace image',
    remove: 'Remove image',
    saved: 'The image is saved.',
    removed: 'The image is removed.',
    tooLarge: 'This image is larger than 10 MB.',
    alt: (name: string) => `Image of ${name}`,
    hidden: 'The image is not shown, because its URL doesn’t start with https://.',
    broken: 'The image can’t be loaded.',
  },

  hold: {
    label: 'Installation status',
    since: (time: string) => `On hold since ${time}.`,
    means:
      'No payment is charged or refunded, no email is sent, and nobody can buy. Access checks, grants and revocations work; everything else waits.',
    todo: 'To resume, the person who runs this server runs the command “gatehouse resume”.',
    detached:
      'This is a detached copy. It never charges a card and never sends an email, regardless of its settings.',
  },

  frame: {
    skip: 'Skip to content',
    menu: 'Menu',
    navigation: 'Main',
    application: 'Application',
    noApplication: 'No application',
    newApplication: 'New application',
    archived: 'archived',
    environment: 'Environment',
    production: 'Production',
    sandbox: 'Sandbox',
    environmentHint: { production: 'Real readers, real money', sandbox: 'For testing' },
    otherApplication: (left: string, environment: 'production' | 'sandbox', found: string) =>
      `“${left}” doesn’t exist in ${environment === 'sandbox' ? 'the sandbox' : 'production'}. You are now in “${found}”.`,
    find: 'Find',
    account: (name: string) => `Account of ${name}`,
    yourAccount: 'Your account',
    notifications: 'Notifications',
    team: 'Team',
    tokens: 'API tokens',
    audit: 'Audit log',
    signOut: 'Sign out',
    theme: 'Theme',
    themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
    version: (version: string) => `Gatehouse ${version}`,
  },

  pages: {
    overview: 'Overview',
    access: 'Access',
    people: 'People',
    resources: 'Resources',
    subscriptions: 'Subscriptions',
    payments: 'Payments',
    downloads: 'Downloads',
    mail: 'Emails',
    developers: 'Developers',
    settings: 'Settings',
  },

  sandbox: {
    clock: 'Sandbox clock',
    advance: 'advance',
    theClock: 'the clock',
    title: 'Advance the sandbox clock',
    hint: 'Renewals, expirations and reminders that become due on the way are processed as usual. The clock can’t be set back.',
    now: (time: string) => `Sandbox time: ${time}.`,
    by: 'Advance by',
    steps: { hour: '1 hour', day: '1 day', week: '7 days', month: '31 days', year: '365 days' },
    to: 'Or to a date',
    itWillBe: (time: string) => `New sandbox time: ${time}.`,
    go: 'Advance',
    done: (time: string, renewed: number, ended: number, mails: number) =>
      [
        `Sandbox time: ${time}.`,
        ...(renewed > 0 ? [`${pluralize(renewed, 'renewal', 'renewals')}.`] : []),
        ...(ended > 0 ? [`${pluralize(ended, 'subscription', 'subscriptions')} ended.`] : []),
        ...(mails > 0 ? [`${pluralize(mails, 'email', 'emails')}.`] : []),
      ].join(' '),
    later: 'Choose a time after the current sandbox time.',
  },

  find: {
    title: 'Find anything',
    placeholder: 'Name, email, ID, page or action',
    hint: 'Enter a name, an email address, a resource ID, a site user ID, the ID of an access record or a payment, or the name of a page.',
    nothing: (text: string) => `No results for “${text}”.`,
    nobody: (email: string) =>
      `Nobody with the address ${email} has bought anything or been granted access. A declined payment leaves no entry. The person may have used another address: search for the name.`,
    results: (value: number) => pluralize(value, 'result', 'results'),
    actions: {
      grant: 'Grant access…',
      refund: 'Refund a payment…',
      resource: 'New resource…',
      themes: { dark: 'Dark theme', light: 'Light theme', system: 'Same theme as system' },
      shortcuts: 'Keyboard shortcuts',
    },
    kinds: {
      action: 'Action',
      page: 'Page',
      person: 'Person',
      access: 'Access',
      resource: 'Resource',
      payment: 'Payment',
      subscription: 'Subscription',
    },
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    everywhere: 'On every page',
    find: 'Find anything',
    search: 'Search the list',
    help: 'Show these shortcuts',
    close: 'Close a dialog or menu',
    lists: 'In lists',
    next: 'Next row',
    previous: 'Previous row',
    open: 'Open the row',
    select: 'Select the row',
    or: 'or',
  },

  signIn: signInTexts,
  signOut: signOutTexts,
  passkeyStep: passkeyStepTexts,
  confirmIdentity: confirmIdentityTexts,
  forgotten: forgottenTexts,
  link: linkTexts,
  account: accountTexts,
  notifications: notificationsTexts,
  team: teamTexts,
  tokens: tokensTexts,
  audit: auditTexts,
  newApplication: newApplicationTexts,
  overview: overviewTexts,
  figures: figuresTexts,
  opens: opensTexts,
  resources: resourcesTexts,
  access: accessTexts,
  importing: importTexts,
  people: peopleTexts,
  developers: developersTexts,
  webhooks: webhooksTexts,
  brand: brandTexts,
  settings: settingsTexts,
  connections: connectionTexts,
  copying: copyTexts,
  setUp: setUpTexts,
  records: recordsTexts,
  subscriptions: subscriptionsTexts,
  payments: paymentsTexts,
  downloads: downloadsTexts,
  deliveries: deliveriesTexts,
  mails: mailsTexts,
} as const
