import { normalizeText } from '../../../unicode.ts'
import { looksLikeDate } from './dates.ts'

/** The kinds of data that a column of a spreadsheet can hold. Other columns are ignored. */
export const COLUMN_TARGETS = [
  'email',
  'first_name',
  'last_name',
  'full_name',
  'resource',
  'until',
  'tags',
  'user_ref',
  'state',
] as const
export type Target = (typeof COLUMN_TARGETS)[number]

/** The names of the targets in messages. */
export const TARGET_LABELS: Record<Target, string> = {
  email: 'Email',
  first_name: 'First name',
  last_name: 'Last name',
  full_name: 'Name',
  resource: 'Resource',
  until: 'Access until',
  tags: 'Tags',
  user_ref: 'Site user ID',
  state: 'State',
}

/** Column names in English, German, French, Spanish, Italian and Dutch, without accents, spaces and signs. */
const NAMES: Record<Target, string> = {
  email: `email emailaddress mail mailaddress emailadresse mailadresse adressemail adressemel courriel
    correo correoelectronico direcciondecorreo posta postaelettronica indirizzoemail emailadres`,
  first_name: `firstname givenname forename vorname prenom nombre nome voornaam`,
  last_name: `lastname surname familyname nachname familienname zuname nomdefamille apellido apellidos cognome achternaam`,
  full_name: `name fullname customer customername subscriber reader person kunde abonnent leser kundenname
    vollstandigername nomcomplet nom nombrecompleto nomecompleto naam abonne klant`,
  resource: `resource rid product item pass issue title publication magazine edition ressource produkt artikel ausgabe titel
    zeitschrift heft produit numero titre producto articulo titulo prodotto articolo titolo uitgave abo abonnement`,
  until: `until accessuntil validuntil validto expires expiry expiration expirydate expirationdate expireson expiresat end ends
    enddate endson accessends bis gultigbis gueltigbis ablauf ablaufdatum ablaufam endet endetam ende enddatum zugangbis
    zugriffbis laufzeitbis laufzeitende abobis jusqua jusquau valablejusquau valablejusqua finacces datedefin fin expirele
    dateexpiration datedexpiration hasta validohasta fechadefin caducidad vencimiento finoa validofino validofinoa scadenza
    scade geldigtot tot einddatum verloopt`,
  tags: `tags tag labels label schlagworte etikett etiquettes etiquetas`,
  user_ref: `userref siteuserid userid customerid customernumber customerno subscriberid subscribernumber accountnumber
    kundennummer kundennr kdnr abonummer abonr abonnentennummer mitgliedsnummer numeroclient numerodeclient numerocliente
    numerodecliente codicecliente klantnummer`,
  state: `state status accessstate`,
}

const TARGET_BY_NAME = new Map(
  COLUMN_TARGETS.flatMap((target) =>
    NAMES[target].split(/\s+/).map((name) => [name, target] as const),
  ),
)

/** Longer than any known name with accents, spaces and signs. */
const MAX_NAME = 255

function plain(name: string): string {
  if (name.length > MAX_NAME) return ''
  return normalizeText(name, 'NFD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]/g, '')
}

/** Assigns a target to each column by its name. A target is used once: the first column of that name has it. */
export function recognizeTargets(header: readonly string[]): (Target | null)[] {
  const taken = new Set<Target>()
  return header.map((name) => {
    const target = TARGET_BY_NAME.get(plain(name)) ?? null
    if (target === null || taken.has(target)) return null
    taken.add(target)
    return target
  })
}

/** Longer than any address. */
const MAX_ADDRESS = 300

function looksLikeAddress(text: string): boolean {
  const at = text.indexOf('@', 1)
  return at > 0 && at < text.length - 1 && text.length <= MAX_ADDRESS && !/\s/.test(text)
}

/** Whether the first row names the columns: none of its cells is an address or a date. */
export const looksLikeHeader = (cells: readonly string[]): boolean =>
  !cells.some((cell) => looksLikeAddress(cell.trim()) || looksLikeDate(cell))

/** Assigns targets by what is in the columns, where no name did: addresses can be told from other values. A date could be anything, such as a birthday. */
export function completeTargets(
  targets: readonly (Target | null)[],
  rows: readonly (readonly string[])[],
): (Target | null)[] {
  const full = [...targets]
  const findColumn = (fits: (cell: string) => boolean): number =>
    full.findIndex((target, i) => {
      const cells = rows.map((row) => row[i]?.trim() ?? '').filter((cell) => cell !== '')
      return target === null && cells.length > 0 && cells.filter(fits).length * 2 > cells.length
    })
  const assign = (target: Target, fits: (cell: string) => boolean) => {
    const column = full.includes(target) ? -1 : findColumn(fits)
    if (column >= 0) full[column] = target
  }
  assign('email', looksLikeAddress)
  return full
}
