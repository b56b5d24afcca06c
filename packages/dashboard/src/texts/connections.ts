/** Settings → Payments and Settings → Mail. */
export const connectionTexts = {
  tabs: {
    general: 'General',
    payments: 'Payments',
    mail: 'Mail',
    brand: 'Brand',
    emails: 'Emails',
    'set-up': 'Set-up',
    copy: 'Copy',
  },
  tabsLabel: 'Settings',
  environment: { production: 'production', sandbox: 'the sandbox' },
  shared: (environment: string) => `These settings apply to all applications in ${environment}.`,
  ownersOnly: 'Only owners can change this.',
  byOperator: 'Set by the operator',
  byOperatorHint:
    'The person who runs this server has set this in its environment variables. It can’t be changed here.',
  detached:
    'This is a detached copy of an installation. It has no payment provider and sends no email.',
  connected: 'Connected',
  notConnected: 'Not connected',
  testCards: 'Test cards',
  connectedBy: (by: string) => `by ${by}`,
  since: 'Connected',
  replace: 'Replace',
  disconnect: 'Disconnect',
  changed: 'Saved. It takes effect within 5 seconds.',

  payments: {
    lead: 'The account that readers pay into.',
    none: 'Nobody can buy anything in production until you connect Stripe.',
    cards:
      'The sandbox has its own test cards, so you can try everything without an account. Connect Stripe’s test mode to try the real pages.',
    title: 'Stripe',
    account: 'Account',
    unnamed: 'The key has no permission to read the name',
    mode: 'Mode',
    modes: { live: 'Live: real money', test: 'Test: no real money' },
    key: 'Key',
    keyEnding: (ending: string) => `ends in ${ending}`,
    connect: 'Connect Stripe',
    replaceTitle: 'Replace the key',
    secretKey: 'Secret key',
    secretKeyHint: {
      live: 'A live key: it begins with sk_live_ or rk_live_. In Stripe: Developers, API keys.',
      test: 'A test key: it begins with sk_test_ or rk_test_. In Stripe: Developers, API keys.',
    },
    sealed: 'It is stored encrypted and never shown again.',
    linkTitle: 'Link',
    linkLead:
      'Readers pay by card: by number, or with a wallet that is a card, such as Apple Pay and Google Pay.',
    link: 'Offer Link',
    linkHint:
      'Link also offers bank payments and Klarna, with Stripe’s own fees, up to 5.99 % + 0.30 for each payment, and other rules for disputes. It is never offered for free trials and new cards. Link must also be on in Stripe’s dashboard, under Settings, Payment methods.',
    linkSaved: (isOffered: boolean) =>
      isOffered
        ? 'Saved. Payment pages offer Link within 5 seconds.'
        : 'Saved. Payment pages offer only cards within 5 seconds. Subscriptions that were paid through Link continue.',
    test: 'Test connection',
    tested: (account: string | null) =>
      account === null
        ? 'Stripe accepts the key.'
        : `Stripe accepts the key. The account is ${account}.`,
    done: 'Stripe is connected. Readers can pay within 5 seconds.',
    disconnectTitle: 'Disconnect Stripe?',
    disconnectEffect: {
      live: 'Nobody can buy anything until you connect Stripe again.',
      test: 'The sandbox uses its test cards again.',
    },
    disconnected: 'Stripe is disconnected.',
    confirmTitle: 'Connect another account?',
    confirm: 'Connect anyway',
    disconnectAnyway: 'Disconnect anyway',
  },

  webhook: {
    title: 'Webhook',
    lead: 'Stripe uses it to report payments, refunds and disputes immediately.',
    states: {
      automatic: 'Active. It was created for you in Stripe.',
      manual: 'Active. It was created by hand in Stripe.',
      outdated: 'Outdated: it leads to an earlier address of this server.',
      none: 'Not set up',
    },
    notPublic:
      'Stripe can’t reach this address: it needs https and a public host name. Payments still work: Stripe is asked when a buyer comes back, and now and then, at least every hour.',
    polling:
      'Payments still work: Stripe is asked when a buyer comes back, and now and then, at least every hour.',
    noPermission:
      'This restricted key lacks the permission “Webhook Endpoints: Write”. Add that permission in Stripe and try again, or create the webhook there by hand:',
    byHand: 'To create the webhook by hand in Stripe: Developers, Webhooks, Add endpoint.',
    url: 'Endpoint URL',
    events: 'Events to send',
    secret: 'Signing secret',
    secretHint: 'It begins with whsec_. Stripe shows it on the page of the webhook.',
    save: 'Save the secret',
    register: 'Create the webhook',
    registered: 'The webhook is active.',
    failed: 'Stripe did not create the webhook. Try again in a moment.',
    onHold: 'The installation is on hold, so nothing is sent to Stripe.',
  },

  mail: {
    lead: 'The server that sends emails to readers. Production’s also sends emails to your team.',
    none: 'No email is sent until you connect a mail server. You can read every email under Emails.',
    keptStay:
      'Emails that have not been sent so far stay unsent. You can send them one by one under Emails.',
    title: 'Mail server',
    connect: 'Connect a mail server',
    change: 'Change the mail server',
    host: {
      label: 'Server',
      hint: 'Such as smtp.example.com. Your mail provider calls it the SMTP or outgoing server.',
    },
    port: 'Port',
    security: 'Security',
    securities: {
      tls: 'TLS (usually port 465)',
      starttls: 'STARTTLS (usually port 587)',
      none: 'None (only on this machine)',
    },
    user: 'User name',
    password: 'Password',
    passwordHint: 'Stored encrypted and never shown again.',
    passwordKept: 'Leave empty to keep the stored password.',
    sender: {
      label: 'Sender',
      hint: 'Such as Example Magazine <post@example.com>. Applications can have a sender of their own.',
    },
    portWrong: 'Enter a whole number from 1 to 65535.',
    done: 'The mail server is connected.',
    test: 'Send a test email',
    sentTo: (email: string) => `A test email to ${email} was accepted by the mail server.`,
    fewConnections: (taken: number, wanted: number) =>
      `The server takes ${taken} of ${wanted} connections at once; Gatehouse uses ${taken}. The operator can set GATEHOUSE_MAIL_CONNECTIONS=${taken}.`,
    disconnectTitle: 'Disconnect the mail server?',
    disconnectEffect: 'No email is sent until you connect one again. Readers get no receipts.',
    disconnected: 'The mail server is disconnected.',
    dnsTitle: 'Keep emails out of spam folders',
    dnsLead: (domain: string) =>
      `Add these DNS records for ${domain}, where you manage that domain. Your mail provider tells you the exact values.`,
    dnsNone: 'Connect a mail server with a sender of your own domain first.',
    spf: 'SPF: which servers may send for the domain',
    dkim: 'DKIM: a signature on every email',
    dkimText: (domain: string) =>
      `Your mail provider gives you a name such as selector._domainkey.${domain} and its value.`,
    dmarc: 'DMARC: what receivers do with emails that fail both',
    record: (name: string) => `TXT record of ${name}`,
  },
} as const

/** The set-up checklist. */
export const setUpTexts = {
  title: 'Set up your shop',
  lead: 'Everything that a shop needs, in the recommended order. Items are checked off automatically.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  complete: 'Everything is set up.',
  done: 'done',
  toDo: 'to do',
  createResource: 'Create resource',
  askOwner: 'An owner can do this.',
  askEditor: 'Ask an owner or a developer to do this.',
  items: {
    payments: {
      title: 'Connect payments',
      text: 'Until then nobody can buy. You can still give access away.',
      action: 'Connect Stripe',
    },
    mail: {
      title: 'Connect a mail server',
      text: 'Until then no email is sent. You can read every email under Emails.',
      action: 'Connect mail',
    },
    seller: {
      title: 'Enter the seller’s address',
      text: 'Until then receipts show only the name of the application.',
      action: 'Enter address',
    },
    logo: {
      title: 'Add your logo',
      text: 'Until then pages and emails show the name of the application.',
      action: 'Add logo',
    },
    price: {
      title: 'Create a resource with a price',
      text: 'Until then there is nothing to buy. Resources without a price can be granted.',
      action: 'Open resources',
    },
    sale: {
      title: 'Make the first sale',
      text: 'Open the checkout page of a resource and buy it as a reader would.',
      action: 'Open resources',
    },
    colleague: {
      title: 'Invite a colleague',
      text: 'Optional, but somebody else can then help if you lose your password.',
      action: 'Invite',
    },
  },
} as const
