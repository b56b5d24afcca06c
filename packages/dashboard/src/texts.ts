import { formatNumber, pluralize } from './format.ts'
import { accessTexts } from './texts/access.ts'
import { developersTexts } from './texts/developers.ts'
import { deliveriesTexts, downloadsTexts } from './texts/files.ts'
import { mailsTexts } from './texts/mails.ts'
import { paymentsTexts, subscriptionsTexts } from './texts/money.ts'
import { overviewTexts } from './texts/overview.ts'
import { peopleTexts } from './texts/people.ts'
import { recordsTexts } from './texts/records.ts'
import { resourcesTexts } from './texts/resources.ts'
import { settingsTexts } from './texts/settings.ts'

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
    undo: 'Undo',
    again: 'Try again',
    more: 'More actions',
    actionsFor: (name: string) => `Actions for ${name}`,
    actionOn: (action: string, name: string) => `${action}: ${name}`,
    optional: 'optional',
    none: 'None',
    never: 'never',
    saved: 'Saved.',
    loading: 'Loading …',
    wait: 'One moment …',
    show: 'Show',
    hide: 'Hide',
  },

  errors: {
    title: 'This did not work',
    unreachable: 'The server cannot be reached. Check your connection, then try again.',
    unreadable: 'The server gave an answer that cannot be read. Try again in a moment.',
    stopped: 'Stopped.',
    required: 'Please fill this in.',
    email: 'This is not an e-mail address.',
    notFoundTitle: 'There is nothing here',
    notFound: 'The address may be mistyped, or what was here is gone.',
    toStart: 'To the start',
    notAllowedTitle: 'This is not for your role',
    notAllowed: (role: string) => `You are signed in as ${role}. An owner can change your role.`,
    tooMany: (seconds: number) =>
      seconds < 90
        ? `Too many tries. Wait ${pluralize(seconds, 'second', 'seconds')}, then try again.`
        : `Too many tries. Wait ${pluralize(Math.ceil(seconds / 60), 'minute', 'minutes')}, then try again.`,
    page: 'This page could not be shown. Load it again; if that does not help, tell the people who run this server.',
    reload: 'Load again',
  },

  roles: {
    owner: 'Owner',
    developer: 'Developer',
    support: 'Support',
    reader: 'Read-only',
  },
  roleHints: {
    owner: 'Everything, and the team.',
    developer: 'Resources, files, keys and settings. No grants, no refunds.',
    support: 'Helps readers: grants, revokes, refunds, sends mail again; resources too.',
    reader: 'Sees everything but keys, changes nothing.',
  },

  states: {
    live: 'Live',
    ending: 'Ending',
    ended: 'Ended',
    failed: 'Failed',
  },

  list: {
    total: (total: number) => pluralize(total, 'result', 'results'),
    totalCut: (total: number) => `${formatNumber(total)} of more results`,
    isCut:
      'Too many fit what you typed to look at them all. These are the first of them: type more of it, or take a filter instead.',
    range: (from: number, to: number, total: number) =>
      `${formatNumber(from)}–${formatNumber(to)} of ${formatNumber(total)}`,
    previous: 'Previous page',
    next: 'Next page',
    pages: 'Pages of this list',
    search: 'Search',
    filters: 'Filters',
    addFilter: 'Filter',
    apply: 'Apply',
    removeFilter: (name: string) => `Remove filter ${name}`,
    clearFilters: 'Clear all',
    selectAll: 'Select all on this page',
    selectRow: (name: string) => `Select ${name}`,
    selected: (value: number) => `${formatNumber(value)} selected`,
    clearSelection: 'Clear selection',
    bulk: 'Actions for the selection',
    exportShown: 'CSV of what is shown',
    nothingFound: 'Nothing fits these filters',
    nothingFoundHint: 'Remove a filter, or search for something else.',
    keys: 'Keys: j and k move, x selects, Enter opens.',
    open: 'Open',
    actions: 'Actions',
  },

  chart: {
    showTable: 'Show as a table',
    hideTable: 'Show as a chart',
    day: 'Day',
    summary: (name: string, days: number, total: string) =>
      `${name}: ${total} in ${pluralize(days, 'day', 'days')}. The numbers are in the table.`,
  },

  confirm: {
    type: (text: string) => `Type ${text} to go on`,
  },

  file: {
    drop: 'Drop a file here, or',
    choose: 'choose one',
    sending: (name: string) => `Sending ${name}`,
    percent: (part: number) => `${Math.floor(part * 100)} %`,
    stop: 'Stop',
  },

  hold: {
    label: 'Installation status',
    since: (time: string) => `On hold since ${time}.`,
    means:
      'No payment is charged or refunded, no email is sent, and nobody can buy. Access checks, grants and revokes work; everything else waits.',
    todo: 'To go on, the person who runs this server runs the command “gatehouse resume”.',
    detached:
      'This is a detached copy. It has no payment provider and sends no email, whatever its settings say.',
  },

  frame: {
    skip: 'Skip to the content',
    menu: 'Menu',
    navigation: 'Main',
    application: 'Application',
    noApplication: 'No application',
    newApplication: 'New application',
    archived: 'archived',
    environment: 'Environment',
    production: 'Production',
    sandbox: 'Sandbox',
    environmentHint: { production: 'Real readers, real money', sandbox: 'For trying things out' },
    otherApplication: (left: string, environment: 'production' | 'sandbox', found: string) =>
      `There is no “${left}” in ${environment === 'sandbox' ? 'the sandbox' : 'production'}. This is “${found}”.`,
    find: 'Find',
    account: (name: string) => `Account of ${name}`,
    yourAccount: 'Your account',
    team: 'Team',
    audit: 'Audit log',
    signOut: 'Sign out',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
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
    mail: 'Mail',
    developers: 'Developers',
    settings: 'Settings',
  },

  sandbox: {
    clock: 'Sandbox clock',
    advance: 'advance',
    theClock: 'the clock',
    title: 'Advance the sandbox clock',
    hint: 'Renewals, expiries and reminders that fall due on the way happen as they would have. Only forward: a sandbox cannot go back.',
    now: (time: string) => `It is ${time} in the sandbox.`,
    by: 'By how much',
    steps: { hour: '1 hour', day: '1 day', week: '7 days', month: '31 days', year: '365 days' },
    to: 'Or to a date',
    itWillBe: (time: string) => `It will be ${time}.`,
    go: 'Advance',
    done: (time: string, renewed: number, ended: number, mails: number) =>
      [
        `It is ${time} in the sandbox.`,
        ...(renewed > 0 ? [`${pluralize(renewed, 'renewal', 'renewals')}.`] : []),
        ...(ended > 0 ? [`${pluralize(ended, 'subscription', 'subscriptions')} ended.`] : []),
        ...(mails > 0 ? [`${pluralize(mails, 'mail', 'mails')}.`] : []),
      ].join(' '),
    later: 'This must be later than the sandbox’s own time.',
  },

  find: {
    title: 'Find anything',
    placeholder: 'E-mail, reference, rid, id or page',
    hint: 'An e-mail address, a user_ref, a rid, the id of an access or a payment, or the name of a page.',
    nothing: (text: string) => `Nothing found for “${text}”.`,
    results: (value: number) => pluralize(value, 'result', 'results'),
    kinds: {
      page: 'Page',
      person: 'Person',
      access: 'Access',
      resource: 'Resource',
      payment: 'Payment',
      subscription: 'Subscription',
    },
  },

  signIn: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    go: 'Sign in',
    passkey: 'Sign in with a passkey',
    or: 'or',
    failed: 'The e-mail address or the password is wrong.',
    passkeyFailed: 'That passkey was not accepted.',
    lost: 'Forgotten your password? An owner can make you a link under Team. Is there none: “gatehouse staff reset” on the server makes one.',
    ended: 'You were signed out. Sign in to go on where you were.',
  },

  link: {
    titles: { setup: 'Set up Gatehouse', invite: 'Join the team', reset: 'A new password' },
    leads: {
      setup: 'You will be the owner: you see everything, and you invite the others.',
      invite: (role: string) => `You were invited as ${role}.`,
      reset:
        'Choose a new password. You will be signed out everywhere else, and your passkeys are removed: add them anew.',
    },
    email: 'E-mail',
    name: 'Your name',
    nameHint: 'The others see it in the team and in the audit log.',
    password: 'Password',
    passwordHint: 'At least 10 characters. A few words are good.',
    tooShort: (left: number) => `${pluralize(left, 'more character', 'more characters')}.`,
    isEmail: 'Choose something else than your e-mail address.',
    go: { setup: 'Create the account', invite: 'Join', reset: 'Set the password' },
    deadTitle: 'This link is used up',
    dead: 'A link works once, and only for a while. Ask an owner for a new one.',
    deadSetup:
      'Has it been set up already? Then sign in. Else start the server again: it prints a new link.',
    insecureTitle: 'Not over this connection',
    insecure:
      'What you type here could be read on the way. Open the dashboard over https, or on the machine itself at http://localhost.',
    missing: 'The address is not complete. Copy the whole link, with what follows the #.',
  },

  account: {
    title: 'Your account',
    nameTitle: 'Name',
    nameHint: 'The others see it in the team and in the audit log.',
    emailHint: 'Your e-mail address is what you sign in with.',
    passwordTitle: 'Password',
    current: 'Current password',
    next: 'New password',
    change: 'Change the password',
    changed: 'The password is changed. All your other sessions are ended.',
    wrong: 'This is not your current password.',
    passkeysTitle: 'Passkeys',
    passkeysLead:
      'Sign in with your fingerprint, your face or a security key instead of a password.',
    addPasskey: 'Add a passkey',
    passkeyName: 'Name of the passkey',
    passkeyNameHint: 'Such as “Work laptop”.',
    passkeyPasswordHint: 'Once more, because a passkey lets you in without it.',
    passkeyAdded: 'The passkey is added.',
    passkeyFailed: 'The passkey was not made. Nothing has changed.',
    noPasskeys: 'You have none yet.',
    noSupport: 'This browser knows no passkeys.',
    lastUsed: 'last used',
    added: 'added',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeEffect: 'You can’t sign in with it any more. Your other ways in stay.',
    removed: (name: string) => `${name} is removed.`,
    renamed: 'Renamed.',
    sessionsTitle: 'Where you are signed in',
    thisOne: 'this one',
    seen: 'last seen',
    since: 'since',
    everywhere: 'Sign out everywhere',
    everywhereTitle: 'Sign out everywhere?',
    everywhereEffect: (others: number) =>
      others === 0
        ? 'This browser is signed out.'
        : `This browser and ${pluralize(others, 'other session', 'other sessions')} are signed out at once.`,
    unknownAgent: 'An unknown browser',
    agentOn: (browser: string, system: string) => `${browser} on ${system}`,
    endSession: (name: string) => `Sign out: ${name}`,
  },

  team: {
    title: 'Team',
    lead: 'Who works here: in every application, in production and in the sandbox.',
    name: 'Name',
    role: 'Role',
    seen: 'Last seen',
    state: 'State',
    you: 'you',
    active: 'Active',
    disabled: 'Disabled',
    invited: 'Invited',
    linkEnds: 'the link ends',
    withdraw: 'Withdraw the invitation',
    withdrawn: (email: string) => `The invitation of ${email} leads nowhere any more.`,
    invite: 'Invite',
    inviteTitle: 'Invite somebody',
    inviteLead: 'You get a link to hand over. It works once, for 7 days.',
    email: 'E-mail',
    makeLink: 'Make the link',
    linkTitle: (email: string) => `A link for ${email}`,
    linkLead: 'It is shown only now. Whoever has it can use it: send it to nobody else.',
    linkName: 'the link',
    goodUntil: 'Good until',
    onlyHere:
      'It leads to this machine, so nobody can open it elsewhere. For that, let Gatehouse know its public address first: GATEHOUSE_BASE_URL.',
    done: 'Done',
    changeRole: 'Change role',
    roleTitle: (name: string) => `Role of ${name}`,
    roleChanged: (name: string, role: string) => `${name} is ${role} now.`,
    reset: 'New password link',
    resetTitle: (name: string) => `Make a password link for ${name}?`,
    resetEffect: 'It works once. The old password stays good until the link is used.',
    disable: 'Disable',
    disableTitle: (name: string) => `Disable ${name}?`,
    disableEffect: (name: string) =>
      `${name} is signed out everywhere at once and can’t sign in again until enabled.`,
    disabledNow: (name: string) => `${name} is disabled.`,
    enable: 'Enable',
    enabledNow: (name: string) => `${name} can sign in again.`,
    signOut: 'Sign out everywhere',
    signedOut: (name: string) => `${name} is signed out everywhere.`,
    actions: (name: string) => `Actions for ${name}`,
  },

  audit: {
    title: 'Audit log',
    lead: 'What the team did, newest first. Nothing here can be changed.',
    time: 'Time',
    who: 'Who',
    what: 'What',
    where: 'Where',
    details: 'Details',
    outcome: 'Outcome',
    done: 'Done',
    refused: 'Refused',
    began: 'Begun',
    cutOff: 'Cut off',
    commandLine: 'Command line',
    nobody: 'Nobody',
    filters: { staff: 'Who', action: 'Action', aid: 'Application', environment: 'Environment' },
    emptyTitle: 'Nothing was done yet',
    empty: 'Everything that the team changes in the dashboard is written down here.',
  },

  first: {
    title: 'Your first application',
    lead: 'An application is one publication: its resources, its readers, its keys. Readers of one know nothing of another.',
    other: 'New application',
    name: 'Name',
    nameHint: 'Readers see it on receipts and in mails.',
    currency: 'Currency',
    currencyHint: 'Three letters, such as EUR. New prices are in it.',
    notACurrency: 'This is not the code of a currency.',
    environment: 'Where',
    go: 'Create',
    keyTitle: (name: string) => `${name} is there`,
    keyLead:
      'Your site asks Gatehouse with these two: give them to whoever runs it. Keep the private key secret; Developers shows it again.',
    aid: 'Application id',
    key: 'Private key',
    open: (name: string) => `Open ${name}`,
    nobodyTitle: 'There is no application yet',
    nobody: 'An owner or a developer makes the first one.',
  },
  overview: overviewTexts,
  resources: resourcesTexts,

  access: accessTexts,

  people: peopleTexts,

  developers: developersTexts,
  settings: settingsTexts,
  records: recordsTexts,
  subscriptions: subscriptionsTexts,
  payments: paymentsTexts,
  downloads: downloadsTexts,
  deliveries: deliveriesTexts,
  mails: mailsTexts,
} as const
