import { newCheckoutSecret } from '../../../ids.ts'

/** Makes the id of a checkout. It can't be guessed, because its page shows what was bought to anyone who knows it; and it
 * names the application, because a URL or an event has nothing but the id. */
export const newCheckoutId = (aid: string): string => `${aid}-${newCheckoutSecret()}`

/** Ids of older versions have 20 characters after the application. */
const CHECKOUT_ID = /^([A-Za-z0-9]{10})-[A-Za-z0-9]{20,22}$/

/** Returns the application that the id of a checkout names; undefined for an id of an older version. */
export const aidInCheckoutId = (id: string): string | undefined => CHECKOUT_ID.exec(id)?.[1]
