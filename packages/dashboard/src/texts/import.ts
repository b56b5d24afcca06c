import { formatNumber, pluralize } from '../format.ts'

export const importTexts = {
  title: 'Import readers',
  lead: 'Give many people access at once, from a spreadsheet. You see what will change before anything does.',
  file: 'Your list',
  fileHint:
    'CSV with one row per person, up to 200,000 rows. In Excel or Numbers, save or export as CSV.',
  paste: 'Paste rows instead',
  pasted: 'Rows copied from a spreadsheet',
  pastedName: 'Pasted rows',
  pasteGo: 'Use these rows',
  template: 'Download a template',
  templateName: 'readers-template.csv',
  templateRows: [
    ['Email', 'First name', 'Last name', 'Resource', 'Access until'],
    ['ann@example.com', 'Ann', 'Example', 'Monthly pass', '2026-12-31'],
    ['bob@example.com', 'Bob', 'Example', 'Monthly pass', 'for life'],
  ],
  reading: 'Reading the file…',

  settings: 'How the file is read',
  settingsLead: (name: string, rows: number) =>
    `${name}: ${pluralize(rows, 'row', 'rows')}. Change what was not recognized correctly.`,
  machine:
    'This is an exact export from Gatehouse. Its columns are used as they are, so there is nothing to choose.',
  encoding: 'Encoding',
  encodings: {
    'utf-8': 'UTF-8',
    'windows-1252': 'Windows-1252 (Excel)',
    'utf-16le': 'UTF-16',
    'utf-16be': 'UTF-16, big-endian',
  },
  encodingHint: 'If ü or é look wrong below, choose another one.',
  delimiter: 'Columns are separated by',
  delimiters: { comma: 'Commas', semicolon: 'Semicolons', tab: 'Tabs' },
  header: 'The first row has the column names',
  resource: 'Resource for all rows',
  resourceColumn: 'From a column of the file',
  chooseResource: 'Choose a resource',
  end: 'Access ends for all rows',
  endNever: 'Never',
  endDate: 'On a date',
  lastDay: 'Last day',
  order: 'Dates are written as',
  orders: { dmy: 'Day first: 31/12/2026', mdy: 'Month first: 12/31/2026' },
  orderUnclear: 'These dates can be read in two ways. Choose one.',
  chooseOrder: 'Choose…',

  columns: 'Columns',
  columnsLead: 'Choose what each column holds.',
  column: 'Column in the file',
  examples: 'First values',
  holds: 'Holds',
  holdsFor: (name: string) => `What “${name}” holds`,
  targets: {
    '': 'Ignore',
    email: 'Email',
    first_name: 'First name',
    last_name: 'Last name',
    full_name: 'Full name',
    resource: 'Resource',
    until: 'Access until',
    tags: 'Tags',
    user_ref: 'Site user ID',
    state: 'State',
  },
  needsEmail: 'Choose the column that holds the email addresses.',
  needsResource: 'Choose a resource for all rows, or the column that names it.',

  preview: 'First rows, as they are understood',
  previewLead: (zone: string) =>
    `A date means until the end of that day, in the time zone of your application (${zone}).`,
  row: 'Row',
  email: 'Email',
  name: 'Name',
  resourceName: 'Resource',
  until: 'Access until',
  noEnd: 'No end date',
  check: 'Check what changes',
  other: 'Choose another file',
  backToSettings: 'Back',

  checking: 'Checking what would change',
  importing: 'Importing',
  progress: (done: number, total: number) =>
    `${formatNumber(done)} of ${pluralize(total, 'row', 'rows')}`,
  stop: 'Stop',
  keepOpen:
    'Keep this page open. If it is closed, the import stops: rows imported so far are kept, and importing the same file again does the rest.',

  result: 'What will change',
  resultLead: (name: string, rows: number) =>
    `${name}: ${pluralize(rows, 'row', 'rows')}. Nothing has changed yet.`,
  outcome: 'Outcome',
  outcomes: {
    new: 'New',
    extended: 'Extended',
    shortened: 'Shortened',
    changed: 'Details changed',
    unchanged: 'Unchanged',
    refused: 'Refused',
  },
  all: 'All',
  from: (before: string) => `was ${before}`,
  firstOf: (shown: number, total: number) =>
    `Showing the first ${formatNumber(shown)} of ${formatNumber(total)}.`,
  endless: (rows: number) =>
    `${pluralize(rows, 'row has', 'rows have')} no end date: this access never ends.`,
  over: (rows: number) =>
    `${pluralize(rows, 'row ends', 'rows end')} in the past: this access has already ended.`,
  shortened: (rows: number) =>
    `${pluralize(rows, 'row shortens', 'rows shorten')} the access that somebody has now. Paid access is not shortened.`,
  nothing: 'Nothing to import: everybody in this file already has exactly this access.',
  nothingRefused: 'Nothing to import: all other rows are refused. Correct them and try again.',

  mail: 'Emails',
  events: 'Tell your site about each change',
  eventsHint:
    'Sends an event for each reader to your webhooks. Without it, your site is not told about this import.',
  mailNone: 'Send no emails',
  mailNoneHint: 'Nobody is told about the import.',
  mailSend: (mails: number) => `Send ${pluralize(mails, 'email', 'emails')}`,
  mailSendHint: 'Everybody who has not been told about this access yet gets an email.',
  mailKept: 'No mail server is set up, so they would not be sent. You can read them under Emails.',
  mailChoose: 'Choose whether to send emails.',
  go: (rows: number) => `Import ${pluralize(rows, 'row', 'rows')}`,

  done: 'Done',
  doneLead: (granted: number, unchanged: number, refused: number) =>
    `${pluralize(granted, 'row', 'rows')} imported, ${formatNumber(unchanged)} unchanged, ${formatNumber(refused)} refused.`,
  stopped: 'Stopped',
  stoppedLead: (done: number, total: number) =>
    `Stopped after about ${formatNumber(done)} of ${pluralize(total, 'row', 'rows')}. What was imported stays. Import the same file again for the rest.`,
  stoppedCheck: 'The check was stopped. Nothing has changed.',
  broken: (done: number, total: number) =>
    `The connection was lost after about ${formatNumber(done)} of ${pluralize(total, 'row', 'rows')}. What was imported stays. Import the same file again for the rest.`,
  refusedFile: (rows: number) => `Download ${pluralize(rows, 'refused row', 'refused rows')}`,
  refusedHint: 'Correct the rows in your spreadsheet, then import that file.',
  refusedName: (name: string, number: number) => `${name}-refused-${number}.csv`,
  refusedColumns: ['Row', 'Reason'],
  /** The columns of refused rows in the exact format. */
  refusedExact: ['line', 'reason'],
  toList: 'Go to the list',

  recent: 'Last imports',
  recentNone: 'Nothing has been imported yet.',
  recentOutcomes: {
    done: 'Finished',
    stopped: 'Stopped',
    failed: 'Failed',
    begun: 'Not finished',
  },
  recentLine: (done: number, total: number, granted: number, refused: number) =>
    `${formatNumber(done)} of ${pluralize(total, 'row', 'rows')}: ${formatNumber(granted)} imported, ${formatNumber(refused)} refused.`,
  recentFailed: 'It is not known which rows were imported. Import the file again to be sure.',
  recentAgain: 'Import the same file again for the rest.',
} as const
