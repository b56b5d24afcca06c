import { InvalidArgumentError } from 'commander'
import { EVENT_TYPE_NAMES, type EventType, isTypePattern } from '../../domain/events/catalogue.ts'

/** Parses the name of a type of events. */
export function parseEventType(text: string): EventType {
  const type = EVENT_TYPE_NAMES.find((name) => name === text)
  if (type === undefined) {
    throw new InvalidArgumentError(
      `Must be a type of event, one of ${EVENT_TYPE_NAMES.join(', ')}.`,
    )
  }
  return type
}

/** Adds a type, or a group of types such as `access.*`, to those that were given before. */
export function collectTypes(text: string, before: readonly string[] = []): string[] {
  if (!isTypePattern(text)) {
    throw new InvalidArgumentError('Must be a type of event such as access.granted, access.* or *.')
  }
  return [...before, text]
}
