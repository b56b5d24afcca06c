// Made from openapi.json by `npm run contract`.
export interface paths {
    "/r2/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * May this user see this resource?
         * @description Live access only: expired or revoked access is a 404. If the user has none to the resource itself, the record of a pass that opens it answers, and `via` names the pass.
         */
        get: operations["getAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/access/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search access records
         * @description Newest first. Filters combine with AND. Revoked access is left out. A record of a pass has the `rid` of the pass, and is not found by what the pass opens. Records that are granted while you read page after page can shift the pages; from the 10,000th record on, they do not.
         */
        get: operations["searchAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/access/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant access
         * @description One record per user and resource: a repeated grant updates it, an identical one changes nothing and sends no second mail.
         */
        post: operations["grantAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/access/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke access
         * @description Ends every source of the access at once, a subscription too. The second revoke is a 404. With `refund` the current payment of each source is paid back, once. Only the record of this `rid` ends: revoking a pass ends what is open through it, and what a user has through a pass alone is a 404 that names the pass.
         */
        post: operations["revokeAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/access/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * May this user see these resources, and why?
         * @description The status is 200 also if access is not granted: decide by `granted` alone. With `if`, the answer is the one after an action, which is not carried out.
         */
        get: operations["checkAccess"];
        put?: never;
        /**
         * The same for up to 1,000 resources
         * @description Changes nothing. Up to 160 KiB are read. The query takes the parameters too, as far as proxies let it pass.
         */
        post: operations["checkManyAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/access/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that a user may see
         * @description One entry for each live access record, by rid. While `more` is true, ask again with the `cursor` of the answer.
         */
        get: operations["listEntitlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/subscription/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search subscriptions
         * @description Newest first, including ended subscriptions. Filters combine with AND.
         */
        get: operations["searchSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/subscription/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a subscription
         * @description The subscription is not renewed any more; access continues until the end of the paid period. A subscription that is already canceled stays as it is.
         */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/subscription/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a canceled subscription
         * @description Possible until the subscription has ended. It is then renewed as if it had not been canceled.
         */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/subscription/manage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A page for the reader to manage a subscription
         * @description Give the link to its reader only: whoever has it can change the card, and cancel or resume the subscription.
         */
        get: operations["getManageLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/payment/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search payments
         * @description Newest first, with their refunds. Filters combine with AND.
         */
        get: operations["searchPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/payment/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a payment, or part of it
         * @description A full refund ends the access that the payment gives, a partial one does not. A partial refund needs a `reference` or an `idempotency_key`, which makes it safe to repeat; a full one is safe to repeat without.
         */
        post: operations["refundPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/download/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A resource's download
         * @description Returns published downloads only. `/r2/download` is the same. Sign the path that you send.
         */
        get: operations["getDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/downloads/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A link to the file
         * @description Say how long it works, with `lifetime` or `expiration`. Anybody who has the link can fetch the file until the link expires. Making a link changes nothing. If the file is replaced later, the link leads to the new file. `/r2/download/url` is the same. Sign the path that you send.
         */
        get: operations["getDownloadUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/user/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A user's details
         * @description Unknown names are empty.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/event/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened
         * @description Oldest first. Store the `cursor`, and ask again with it: no event is skipped, and none comes twice, unless the service was restored from a backup. Events are kept for a time that the operator sets, 30 days by default.
         */
        get: operations["searchEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/event/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events to a webhook again
         * @description Sends the events of a time range to one endpoint, with the same ids, if it is switched on. Events that wait for an attempt are not sent twice. At most 100,000 events, and one replay at a time.
         */
        post: operations["replayEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The sandbox's time
         * @description Exists in the sandbox only.
         */
        get: operations["getClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r2/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the sandbox's clock forward
         * @description Exists in the sandbox only, and moves the clock of all its applications. Everything that becomes due is done in order, before the response is sent.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccessChangedEvent: {
            /**
             * @description An access record has changed: its end, its tags, its reference or its reader.
             * @enum {string}
             */
            type: "access.changed";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventAccess"];
        };
        AccessCheck: {
            /** @description ID of the resource, as in the request. */
            rid: string;
            /** @description Whether the reader may see the resource. Decide by this field alone. */
            granted: boolean;
            /**
             * @description The reason. If access is granted: `granted`: Access was granted, by your site or by staff. `purchased`: Access was bought with a single payment. `subscribed`: A subscription pays for it. `trial`: A free trial is running. `grace`: The renewal is unpaid, and access stays open for the grace period. `canceled`: The subscription is canceled, and access continues until the end of what was paid for. If not, the reason that applied last: `never_granted`: There has never been access. `not_started`: Nothing that gives access has begun yet. `expired`: Access has reached its end. `revoked`: Access was revoked. `refunded`: The payment was refunded. `dispute_lost`: The dispute about the payment was lost. `unpaid`: The renewal of the subscription was not paid. `user_unknown`: No user has this reference.
             * @enum {unknown}
             */
            code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown";
            /** @description The sources that give access now or later; empty if access is not granted. */
            sources: components["schemas"]["AccessSource"][];
            /** @description When access ends, in seconds since 1970, as `expires` of `GET /r2/access`; left out if it has no end or is not granted. */
            until?: number;
            /** @description The earliest time at which this answer can change by itself, in seconds since 1970; left out if it cannot. */
            next_change?: number;
            /** @description ID of the pass that the answer is based on; left out if it is not based on a pass. */
            via?: string;
            /** @description ID of the access record that gives access; left out if access is not granted. */
            access_id?: string;
            /** @description The prices at which the reader could buy the resource or a pass that opens it; empty if access is granted. */
            offers: components["schemas"]["Offer"][];
            /** @description When access ended, in seconds since 1970; left out if access is granted or there never was any. */
            since?: number;
        };
        AccessChecks: {
            /** @description The time for which the answer holds, in seconds since 1970. */
            now: number;
            /** @description The `user_ref` of the reader, as in the request. */
            user_ref: string;
            /** @description One answer for each rid, in the order of the request. */
            checks: components["schemas"]["AccessCheck"][];
        };
        AccessDetails: {
            /** @description ID of the access record. */
            id: string;
            /** @description ID of the application. */
            aid: string;
            /** @description ID of the resource, as your site names it. */
            rid: string;
            /** @description Gatehouse's ID of the user, which never changes. Accepted wherever a `user_ref` is. */
            uid: string;
            /** @description Price paid, in major units of the currency; 0 for a grant. */
            amount: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
            /** @description When access was granted, in seconds since 1970. */
            created: number;
            /** @description The `user_ref` of the last grant; the uid if it had none. */
            user_ref: string;
            /** @description The user's verified email address; empty if there is none. */
            user_email: string;
            /** @description The email address that the user typed when paying, where mail goes. Anybody can type any address, so it identifies nobody. Empty if there is a verified one, or none. */
            contact_email: string;
            /** @description Tags of the access record. */
            tags: string[];
            /** @description When access ends, in seconds since 1970; left out for access without an end date. */
            expires?: number;
            /** @description ID of the pass that gives access to the resource; left out if the record is of the resource itself. Searches, which list each record under its own `rid`, leave it out. */
            via?: string;
        };
        AccessEndedEvent: {
            /**
             * @description Access has ended: its time is over, or what was paid for it was given back.
             * @enum {string}
             */
            type: "access.ended";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventAccess"];
        };
        AccessGrantedEvent: {
            /**
             * @description A reader got access to a resource that they had no access record of.
             * @enum {string}
             */
            type: "access.granted";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventAccess"];
        };
        AccessPage: {
            /** @description The records of this page. */
            data: components["schemas"]["AccessDetails"][];
            /** @description Number of records that match, on all pages. */
            total: number;
            /** @description Number of this page, counted from 0. */
            page: number;
            /** @description Number of records that a page can have: at most 1,000, whatever was asked for. */
            pagesize: number;
        };
        AccessRevokedEvent: {
            /**
             * @description Access was revoked.
             * @enum {string}
             */
            type: "access.revoked";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventAccess"];
        };
        AccessSource: {
            /**
             * @description The kind of source that gives access.
             * @enum {unknown}
             */
            kind: "grant" | "purchase" | "subscription";
            /** @description The id of the subscription, of the payment of a purchase, or of the access record of a grant: what `if` takes after `cancel:`, `refund:` and `revoke:`. */
            id: string;
            /** @description When the source starts to give access, in seconds since 1970; in the future for a queued period. */
            from: number;
            /** @description When the source stops giving access, in seconds since 1970; left out if it has no end. */
            until?: number;
            /** @description ID of the pass through which the source gives access; left out if it is of the resource itself. */
            via?: string;
        };
        CatalogueChangedEvent: {
            /**
             * @description A resource, its prices, its files or what it opens have changed.
             * @enum {string}
             */
            type: "catalogue.changed";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventResource"];
        };
        Clock: {
            /** @description The time of the sandbox's clock, in seconds since 1970. */
            time: number;
        };
        DisputeLostEvent: {
            /**
             * @description A dispute was decided for the payer. If nothing of the payment is left, its `status` is `lost`, and what it gave access to has ended.
             * @enum {string}
             */
            type: "dispute.lost";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        DisputeOpenedEvent: {
            /**
             * @description A payer disputes a payment, a bank has a question about it, or a lost dispute is open again. Access does not change.
             * @enum {string}
             */
            type: "dispute.opened";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        DisputeWonEvent: {
            /**
             * @description A dispute was decided for the seller, also on appeal.
             * @enum {string}
             */
            type: "dispute.won";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        Download: {
            /** @description ID of the download. */
            id: string;
            /** @description Title of the download, as readers see it. */
            title: string;
            /** @description Description of the download for readers; empty if there is none. */
            description: string;
            /** @description ID of the resource, as your site names it. */
            rid: string;
            /** @description URL of an image; empty if there is none. */
            image: string;
            /** @description The lowest price of the resource, as `9.99 USD`; empty if it has none. Of several currencies the application's own counts, or else that of the first offer. */
            price: string;
            /** @description When the download was last changed, in seconds since 1970. */
            modified_date: number;
            /** @description When the download was created, in seconds since 1970. */
            created_date: number;
            /** @description When the download was published, in seconds since 1970. */
            published_date: number;
        };
        DownloadDeliveredEvent: {
            /**
             * @description A file was sent to a reader.
             * @enum {string}
             */
            type: "download.delivered";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventDelivery"];
        };
        DownloadUrl: {
            /** @description URL from which the file can be downloaded, by anybody who has it. */
            url: string;
            /** @description When the link expires, in seconds since 1970. */
            expires: number;
        };
        Entitlement: {
            /** @description ID of the resource, as in the request. */
            rid: string;
            /** @description Whether the reader may see the resource. Decide by this field alone. */
            granted: boolean;
            /**
             * @description The reason. If access is granted: `granted`: Access was granted, by your site or by staff. `purchased`: Access was bought with a single payment. `subscribed`: A subscription pays for it. `trial`: A free trial is running. `grace`: The renewal is unpaid, and access stays open for the grace period. `canceled`: The subscription is canceled, and access continues until the end of what was paid for. If not, the reason that applied last: `never_granted`: There has never been access. `not_started`: Nothing that gives access has begun yet. `expired`: Access has reached its end. `revoked`: Access was revoked. `refunded`: The payment was refunded. `dispute_lost`: The dispute about the payment was lost. `unpaid`: The renewal of the subscription was not paid. `user_unknown`: No user has this reference.
             * @enum {unknown}
             */
            code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown";
            /** @description The sources that give access now or later; empty if access is not granted. */
            sources: components["schemas"]["AccessSource"][];
            /** @description When access ends, in seconds since 1970, as `expires` of `GET /r2/access`; left out if it has no end or is not granted. */
            until?: number;
            /** @description The earliest time at which this answer can change by itself, in seconds since 1970; left out if it cannot. */
            next_change?: number;
            /** @description ID of the pass that the answer is based on; left out if it is not based on a pass. */
            via?: string;
            /** @description ID of the access record that gives access; left out if access is not granted. */
            access_id?: string;
            opens?: components["schemas"]["Opens"];
        };
        EntitlementPage: {
            /** @description The time for which the answer holds, in seconds since 1970. */
            now: number;
            /** @description The `user_ref` of the reader, as in the request. */
            user_ref: string;
            /** @description The entitlements of this page, sorted by rid. */
            data: components["schemas"]["Entitlement"][];
            /** @description Whether there is another page. */
            more: boolean;
            /** @description The `cursor` parameter of the next page; left out on the last page. */
            cursor?: string;
        };
        Error: {
            /** @description Why the request failed. */
            error: {
                /** @description The problem and what to do about it, as a sentence for people. */
                message: string;
                /** @description The error code, for programs. */
                code: string;
                /** @description Name of the wrong parameter; left out if the error is not about one. */
                parameter?: string;
                /** @description ID of the request, to quote when you ask for help. */
                request_id: string;
            };
        };
        EventAccess: {
            /** @description ID of the access record. */
            id: string;
            /** @description ID of the application. */
            aid: string;
            /** @description ID of the resource, as your site names it. */
            rid: string;
            /** @description Gatehouse's ID of the user, which never changes. Accepted wherever a `user_ref` is. */
            uid: string;
            /** @description Price paid, in major units of the currency; 0 for a grant. */
            amount: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
            /** @description When access was granted, in seconds since 1970. */
            created: number;
            /** @description The `user_ref` of the last grant; the uid if it had none. */
            user_ref: string;
            /** @description The user's verified email address; empty if there is none. */
            user_email: string;
            /** @description The email address that the user typed when paying, where mail goes. Anybody can type any address, so it identifies nobody. Empty if there is a verified one, or none. */
            contact_email: string;
            /** @description Tags of the access record. */
            tags: string[];
            /** @description When access ends, in seconds since 1970; left out for access without an end date. */
            expires?: number;
            /**
             * @description State of the access at the time of the event.
             * @enum {unknown}
             */
            status: "live" | "expired" | "revoked";
            /** @description When access was revoked, in seconds since 1970; left out if it was not. */
            revoked?: number;
            /** @description True if the record was too long for an event and its long values are missing; left out otherwise. */
            more?: boolean;
        };
        EventDelivery: {
            /** @description ID of the delivery. */
            id: string;
            /** @description ID of the application. */
            aid: string;
            /** @description ID of the resource, as your site names it. */
            rid: string;
            /** @description Gatehouse's ID of the user; null if the link was made for no reader. */
            uid: string | null;
            /** @description ID of the download. */
            download_id: string;
            /** @description ID of the download link. It cannot be used to download. */
            link: string;
            /** @description Number of bytes that were sent. */
            bytes: number;
            /**
             * @description `complete`: the whole file was sent. `redirected`: another server sends it, and only that server knows the outcome.
             * @enum {unknown}
             */
            outcome: "complete" | "redirected";
            /** @description When the file was sent, in seconds since 1970. */
            at: number;
        };
        EventErasedUser: {
            /** @description Gatehouse's ID of the user, which never changes. */
            uid: string;
            /** @description Your site's names (`user_ref`) for the reader, and the uids and references of users who were merged into this one. */
            references: string[];
        };
        EventMergedUser: {
            /** @description Gatehouse's ID of the user, which never changes. */
            uid: string;
            /** @description The user's verified email address; empty if there is none. */
            email: string;
            /** @description The user's first name; empty if unknown. */
            first_name: string;
            /** @description The user's last name; empty if unknown. */
            last_name: string;
            /** @description The email address that the user typed when paying, where mail goes. Anybody can type any address, so it identifies nobody. Empty if there is a verified one, or none. */
            contact_email: string;
            /** @description Your site's names (`user_ref`) for the reader. */
            references: string[];
            /** @description Uids and references of users who were merged into this one. */
            aliases: string[];
            /** @description The uid that is now an alias of this user. */
            merged_uid: string;
            /** @description True if the record was too long for an event and its long values are missing; left out otherwise. */
            more?: boolean;
        };
        EventPage: {
            /** @description The events of this page, oldest first. */
            data: (components["schemas"]["UserAccessChangedEvent"] | components["schemas"]["AccessGrantedEvent"] | components["schemas"]["AccessChangedEvent"] | components["schemas"]["AccessRevokedEvent"] | components["schemas"]["AccessEndedEvent"] | components["schemas"]["SubscriptionStartedEvent"] | components["schemas"]["SubscriptionTrialEndingEvent"] | components["schemas"]["SubscriptionRenewedEvent"] | components["schemas"]["SubscriptionPastDueEvent"] | components["schemas"]["SubscriptionRecoveredEvent"] | components["schemas"]["SubscriptionCanceledEvent"] | components["schemas"]["SubscriptionResumedEvent"] | components["schemas"]["SubscriptionEndedEvent"] | components["schemas"]["PaymentSucceededEvent"] | components["schemas"]["PaymentFailedEvent"] | components["schemas"]["RefundSucceededEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["DisputeOpenedEvent"] | components["schemas"]["DisputeWonEvent"] | components["schemas"]["DisputeLostEvent"] | components["schemas"]["DownloadDeliveredEvent"] | components["schemas"]["UserUpdatedEvent"] | components["schemas"]["UserMergedEvent"] | components["schemas"]["UserErasedEvent"] | components["schemas"]["CatalogueChangedEvent"] | components["schemas"]["ServiceRestoredEvent"])[];
            /** @description For each event of `data`, the cursor after it: store it once you have handled that event, to go on there if your process stops within a page. */
            cursors: string[];
            /** @description Whether there is another page now. */
            more: boolean;
            /** @description The `cursor` parameter of the next page. Store it, also if there are no more events yet. */
            cursor: string;
        };
        EventReaderState: {
            /** @description Gatehouse's ID of the user, which never changes. */
            uid: string;
            /** @description The reader's email address; empty if it is unknown. */
            user_email: string;
            /** @description Your site's names (`user_ref`) for the reader. */
            references: string[];
            /** @description Uids and references of users who were merged into this one. */
            aliases: string[];
            /** @description Everything that the reader has access to, sorted by rid, as `GET /r2/access/list` returns it. */
            entitlements: components["schemas"]["Entitlement"][];
            /** @description Whether the list is cut because not all of it fits into an event. */
            more: boolean;
            /** @description The request that returns the whole list; left out if nothing is missing. */
            next?: {
                /** @description Path of the request that returns the whole list. */
                path: string;
                /** @description The `user_ref` parameter of that request. */
                user_ref: string;
            };
        };
        EventRefund: {
            /** @description ID of the refund. */
            id: string;
            /** @description Amount of the refund, in major units of the currency: 9.99 is 9.99 EUR. */
            amount: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
            /** @description State of the refund. `pending`: the payment provider has not answered yet. */
            status: "pending" | "succeeded" | "failed";
            /** @description Why the refund failed, such as `disputed`; left out if it did not. */
            reason?: string;
            /** @description ID of the application. */
            aid: string;
            /** @description ID of the refunded payment. */
            payment_id: string;
            /** @description ID of the resource, as your site names it. */
            rid: string;
            /** @description Gatehouse's ID of the user, which never changes. */
            uid: string;
        };
        EventReplay: {
            /** @description ID of the replay; left out of a preview. */
            id?: string;
            /** @description ID of the webhook endpoint. */
            endpoint: string;
            /**
             * @description `failed`: only events that were not delivered. `all`: all events of the time range.
             * @enum {unknown}
             */
            mode: "failed" | "all";
            /** @description Start of the time range, in seconds since 1970. */
            from: number;
            /** @description End of the time range, inclusive, in seconds since 1970. */
            to: number;
            /** @description Number of events that are sent. */
            events: number;
            /** @description When the first of these events was written, in seconds since 1970; left out if there is none. */
            oldest?: number;
            /** @description When the last of these events was written, in seconds since 1970; left out if there is none. */
            newest?: number;
        };
        EventResource: {
            /** @description ID of the application. */
            aid: string;
            /** @description ID of the resource, as your site names it. */
            rid: string;
            /** @description Name of the resource, as readers see it. */
            name: string;
            /** @description URL of the resource's page on your site; may be empty. */
            url: string;
            /** @description Description of the resource for readers; may be empty. */
            description: string;
            /** @description URL of an image; may be empty. */
            image: string;
            /** @description When the resource was created, in seconds since 1970. */
            created: number;
            /** @description Whether the resource is archived, so that it can no longer be sold or granted. */
            archived: boolean;
            /** @description The prices at which the resource is sold now. */
            offers?: components["schemas"]["Offer"][];
            opens?: components["schemas"]["Opens"];
            /** @description True if the record was too long for an event and its long values are missing; left out otherwise. */
            more?: boolean;
        };
        EventRestore: {
            /** @description ID of the application. */
            aid: string;
            /** @description Events about readers that were written before the restore have lower numbers. Readers whose last event has a lower number do not exist any more, and have access to nothing. */
            sequence: number;
        };
        EventUser: {
            /** @description Gatehouse's ID of the user, which never changes. */
            uid: string;
            /** @description The user's verified email address; empty if there is none. */
            email: string;
            /** @description The user's first name; empty if unknown. */
            first_name: string;
            /** @description The user's last name; empty if unknown. */
            last_name: string;
            /** @description The email address that the user typed when paying, where mail goes. Anybody can type any address, so it identifies nobody. Empty if there is a verified one, or none. */
            contact_email: string;
            /** @description Your site's names (`user_ref`) for the reader. */
            references: string[];
            /** @description Uids and references of users who were merged into this one. */
            aliases: string[];
            /** @description True if the record was too long for an event and its long values are missing; left out otherwise. */
            more?: boolean;
        };
        ManageLink: {
            /** @description URL of the page where the reader changes the card, cancels or resumes. */
            url: string;
            /** @description When the link expires, in seconds since 1970. */
            expires: number;
        };
        Offer: {
            /** @description ID of the price. */
            price: string;
            /** @description ID of what is sold: the resource, or a pass that opens it. */
            rid: string;
            /** @description The price, in major units of the currency: 9.99 is 9.99 EUR. */
            amount: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
            /** @description Whether the offer is a subscription. */
            recurring: boolean;
            /** @description Length of the free trial in days; 0 without a trial. */
            trial_days: number;
            /** @description The period that is paid for, such as `1 month`; left out for access without an end date. */
            period?: string;
        };
        Opens: {
            /** @description IDs of single resources that the pass opens. */
            rids: string[];
            /** @description The pass opens all resources whose ID begins with one of these texts. */
            prefixes: string[];
            /** @description Whether the pass opens all resources of the application. */
            all: boolean;
        };
        Payment: {
            /** @description ID of the payment. */
            id: string;
            /** @description ID of the application. */
            aid: string;
            /** @description ID of the resource, as your site names it. */
            rid: string;
            /** @description Gatehouse's ID of the user, which never changes. */
            uid: string;
            /** @description Amount of the payment, in major units of the currency: 9.99 is 9.99 EUR. */
            amount: number;
            /** @description Amount that was refunded so far, in major units of the currency. */
            refunded: number;
            /** @description Amount that lost disputes took so far, in major units of the currency. `status` is `lost` once nothing is left. */
            lost: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
            /**
             * @description State of the payment. `disputed`: a dispute, a question of a bank or an appeal is undecided. `lost`: a dispute was lost and nothing of the payment is left.
             * @enum {unknown}
             */
            status: "pending" | "succeeded" | "failed" | "partially_refunded" | "refunded" | "disputed" | "lost";
            /** @description Why the payment needs attention: `late`, `duplicate` or `mismatch`; left out if it does not. */
            flag?: string;
            /** @description When the payment was begun, in seconds since 1970. */
            created: number;
            /** @description ID of the subscription that the payment belongs to; left out for a one-time purchase. */
            subscription_id?: string;
            /** @description ID of the access record that the payment pays for; left out if it granted no access. */
            access_id?: string;
            /** @description All refunds of the payment, oldest first. */
            refunds: components["schemas"]["Refund"][];
        };
        PaymentFailedEvent: {
            /**
             * @description A charge was refused.
             * @enum {string}
             */
            type: "payment.failed";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        PaymentPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Payment"][];
            /** @description Number of records that match, on all pages. */
            total: number;
            /** @description Number of this page, counted from 0. */
            page: number;
            /** @description Number of records that a page can have: at most 1,000, whatever was asked for. */
            pagesize: number;
        };
        PaymentSucceededEvent: {
            /**
             * @description Money was taken. It says nothing about access.
             * @enum {string}
             */
            type: "payment.succeeded";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        Refund: {
            /** @description ID of the refund. */
            id: string;
            /** @description Amount of the refund, in major units of the currency: 9.99 is 9.99 EUR. */
            amount: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
            /** @description State of the refund. `pending`: the payment provider has not answered yet. */
            status: "pending" | "succeeded" | "failed";
            /** @description Why the refund failed, such as `disputed`; left out if it did not. */
            reason?: string;
        };
        RefundFailedEvent: {
            /**
             * @description A refund was refused, or came back.
             * @enum {string}
             */
            type: "refund.failed";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventRefund"];
        };
        RefundSucceededEvent: {
            /**
             * @description Money was given back.
             * @enum {string}
             */
            type: "refund.succeeded";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventRefund"];
        };
        RevokedAccess: {
            /** @description ID of the access record. */
            id: string;
            /** @description ID of the application. */
            aid: string;
            /** @description ID of the resource, as your site names it. */
            rid: string;
            /** @description Gatehouse's ID of the user, which never changes. Accepted wherever a `user_ref` is. */
            uid: string;
            /** @description Price paid, in major units of the currency; 0 for a grant. */
            amount: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
            /** @description When access was granted, in seconds since 1970. */
            created: number;
            /** @description The `user_ref` of the last grant; the uid if it had none. */
            user_ref: string;
            /** @description The user's verified email address; empty if there is none. */
            user_email: string;
            /** @description The email address that the user typed when paying, where mail goes. Anybody can type any address, so it identifies nobody. Empty if there is a verified one, or none. */
            contact_email: string;
            /** @description Tags of the access record. */
            tags: string[];
            /** @description When access ends, in seconds since 1970; left out for access without an end date. */
            expires?: number;
            /** @description When access was revoked, in seconds since 1970. */
            revoked: number;
            /** @description The newest refund of the access; null if nothing was refunded. */
            refund: components["schemas"]["Refund"] | null;
            /** @description All refunds of the access; empty if nothing was refunded. */
            refunds: components["schemas"]["Refund"][];
        };
        ServiceRestoredEvent: {
            /**
             * @description The service went back to an earlier state, and all readers and resources have been told again.
             * @enum {string}
             */
            type: "service.restored";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventRestore"];
        };
        Subscription: {
            /** @description ID of the subscription. */
            id: string;
            /** @description ID of the application. */
            aid: string;
            /** @description ID of the resource, as your site names it. */
            rid: string;
            /** @description Gatehouse's ID of the user, which never changes. */
            uid: string;
            /** @description The `user_ref` of the access that the subscription grants; the uid if it has none. */
            user_ref: string;
            /** @description The user's verified email address; empty if there is none. */
            user_email: string;
            /**
             * @description State of the subscription. All states but `ended` grant access.
             * @enum {unknown}
             */
            status: "trialing" | "active" | "past_due" | "canceled" | "ended";
            /** @description Price of each period, in major units of the currency: 9.99 is 9.99 EUR. */
            amount: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
            /** @description Length of each period, such as `1 month` or `3 months`. */
            period: string;
            /** @description When the subscription began, in seconds since 1970. */
            created: number;
            /** @description When the current period began, in seconds since 1970. */
            current_period_start: number;
            /** @description When the current period ends, in seconds since 1970. The next charge is due then, unless the subscription is canceled. */
            current_period_end: number;
            /** @description Whether the subscription ends with the current period instead of being renewed. */
            cancel_at_period_end: boolean;
            /** @description When the subscription was canceled, in seconds since 1970; left out if it was not. */
            canceled?: number;
            /** @description ID of the access record that the subscription grants. */
            access_id: string;
        };
        SubscriptionCanceledEvent: {
            /**
             * @description A subscription will not be renewed. Access lasts until the end of the period.
             * @enum {string}
             */
            type: "subscription.canceled";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        SubscriptionEndedEvent: {
            /**
             * @description A subscription has ended.
             * @enum {string}
             */
            type: "subscription.ended";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        SubscriptionPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Subscription"][];
            /** @description Number of records that match, on all pages. */
            total: number;
            /** @description Number of this page, counted from 0. */
            page: number;
            /** @description Number of records that a page can have: at most 1,000, whatever was asked for. */
            pagesize: number;
        };
        SubscriptionPastDueEvent: {
            /**
             * @description A charge for the next period failed. Access stays open for the grace period.
             * @enum {string}
             */
            type: "subscription.past_due";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        SubscriptionRecoveredEvent: {
            /**
             * @description A subscription that was past due is paid again.
             * @enum {string}
             */
            type: "subscription.recovered";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        SubscriptionRenewedEvent: {
            /**
             * @description The next period of a subscription is paid.
             * @enum {string}
             */
            type: "subscription.renewed";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        SubscriptionResumedEvent: {
            /**
             * @description The cancellation of a subscription was taken back.
             * @enum {string}
             */
            type: "subscription.resumed";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        SubscriptionStartedEvent: {
            /**
             * @description A subscription or its trial has begun.
             * @enum {string}
             */
            type: "subscription.started";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        SubscriptionTrialEndingEvent: {
            /**
             * @description A trial ends soon; the first charge follows.
             * @enum {string}
             */
            type: "subscription.trial_ending";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        User: {
            /** @description Gatehouse's ID of the user, which never changes. */
            uid: string;
            /** @description The user's verified email address; empty if there is none. */
            email: string;
            /** @description The user's first name; empty if unknown. */
            first_name: string;
            /** @description The user's last name; empty if unknown. */
            last_name: string;
            /** @description The email address that the user typed when paying, where mail goes. Anybody can type any address, so it identifies nobody. Empty if there is a verified one, or none. */
            contact_email: string;
        };
        UserAccessChangedEvent: {
            /**
             * @description A reader's entitlements have changed. The event lists all of them, so that most sites need no other event.
             * @enum {string}
             */
            type: "user.access_changed";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventReaderState"];
        };
        UserErasedEvent: {
            /**
             * @description A reader was erased. Delete what you hold of them.
             * @enum {string}
             */
            type: "user.erased";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventErasedUser"];
        };
        UserMergedEvent: {
            /**
             * @description Another user was merged into this one. The uid of the other remains an alias.
             * @enum {string}
             */
            type: "user.merged";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventMergedUser"];
        };
        UserUpdatedEvent: {
            /**
             * @description A reader's email address, name or references have changed.
             * @enum {string}
             */
            type: "user.updated";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When the event happened, in UTC: `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description ID of the application. */
            aid: string;
            /**
             * @description The environment in which the event happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Rises with each event about one reader, by any amount, also when the service was restored from a backup; up to 2^53. Drop an event whose number is not higher than that of the last one about the reader that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The fields of `data` that have changed, with their previous values. */
            changed: {
                [key: string]: unknown;
            };
            /** @description The cause of the event. */
            cause: {
                /** @description Who caused the event: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description The action that caused the event. */
                action: string;
                /** @description The reason for the action, such as `refunded` or `unpaid`; left out if there is none to name. */
                why?: string;
                /** @description ID of the request that caused the event; only if traces are on. */
                request_id?: string;
                /** @description The trace of that request, in the format of the `traceparent` header; only if traces are on. */
                traceparent?: string;
            };
            /** @description True if the reader was erased after the event, so that texts about them are empty; left out otherwise. */
            redacted?: boolean;
            data: components["schemas"]["EventUser"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAccess: {
        parameters: {
            query: {
                /** @description ID of the resource, as your site names it. */
                rid: string;
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref: string;
                /** @description Whether an expired access of the resource itself is returned if there is no live one. */
                show_expired?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessDetails"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `access_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchAccess: {
        parameters: {
            query?: {
                /** @description ID of the resource, as your site names it. */
                rid?: string;
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref?: string;
                /** @description The user's email address; names the user within your application. */
                email?: string;
                /** @description A tag of access records. */
                tag?: string;
                /** @description Whether expired access is found too. */
                show_expired?: boolean;
                /** @description Number of the page, counted from 0. */
                page?: number;
                /** @description Records per page; more than 1,000 is lowered to 1,000. */
                pagesize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessPage"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    grantAccess: {
        parameters: {
            query: {
                /** @description ID of the resource, as your site names it. */
                rid: string;
                /** @description The user's email address; names the user within your application. */
                email: string;
                /** @description Your own name for the user: unique, and the same every time. Without it, the records show the `uid`. The `uid` of another user is refused. */
                user_ref?: string;
                /** @description When the access ends, in seconds since 1970; without it, the access has no end date. */
                expiration?: number;
                /** @description Another name for `expiration`, as in the record. Give one of the two. */
                expires?: number;
                /** @description Shown in the notification, as plain text. */
                message?: string;
                /** @description Whether no email about the grant is sent to the user. */
                suppress_email?: boolean;
                /** @description The user's first name. */
                first_name?: string;
                /** @description The user's last name. */
                last_name?: string;
                /** @description Up to 100 tags of 1 to 100 characters, with commas between them; they replace the old ones. */
                tags?: string;
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                idempotency_key?: string;
                /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                ts?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form body can carry the parameters instead of the query. Send each once, in one of the two; the signature covers both. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description ID of the resource, as your site names it. */
                    rid?: string;
                    /** @description The user's email address; names the user within your application. */
                    email?: string;
                    /** @description Your own name for the user: unique, and the same every time. Without it, the records show the `uid`. The `uid` of another user is refused. */
                    user_ref?: string;
                    /** @description When the access ends, in seconds since 1970; without it, the access has no end date. */
                    expiration?: number;
                    /** @description Another name for `expiration`, as in the record. Give one of the two. */
                    expires?: number;
                    /** @description Shown in the notification, as plain text. */
                    message?: string;
                    /**
                     * @description Whether no email about the grant is sent to the user.
                     * @default false
                     */
                    suppress_email?: boolean;
                    /** @description The user's first name. */
                    first_name?: string;
                    /** @description The user's last name. */
                    last_name?: string;
                    /** @description Up to 100 tags of 1 to 100 characters, with commas between them; they replace the old ones. */
                    tags?: string;
                    /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                    idempotency_key?: string;
                    /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                    ts?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description `true` if a request with this `idempotency_key` took effect before, and this is its answer; left out otherwise. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessDetails"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `idempotency_key_reused`, `request_replayed`, `ts_out_of_range`, `answer_erased`, `user_ref_taken`, `user_ref_is_uid`, `user_ref_erased`, `resource_archived`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `resource_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`, `request_running`, `storage_full`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeAccess: {
        parameters: {
            query: {
                /** @description ID of the resource, as your site names it. */
                rid: string;
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref: string;
                /** @description Whether the current payment of each source is refunded. */
                refund?: boolean;
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                idempotency_key?: string;
                /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                ts?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form body can carry the parameters instead of the query. Send each once, in one of the two; the signature covers both. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description ID of the resource, as your site names it. */
                    rid?: string;
                    /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                    user_ref?: string;
                    /**
                     * @description Whether the current payment of each source is refunded.
                     * @default false
                     */
                    refund?: boolean;
                    /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                    idempotency_key?: string;
                    /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                    ts?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description `true` if a request with this `idempotency_key` took effect before, and this is its answer; left out otherwise. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedAccess"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `idempotency_key_reused`, `request_replayed`, `ts_out_of_range`, `answer_erased`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `access_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`, `request_running`, `storage_full`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    checkAccess: {
        parameters: {
            query: {
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref: string;
                /** @description 1 to 100 rids with a space between them, which is written `%20` or `+`. */
                rids: string;
                /** @description The action after which the answer would hold; it is not carried out. `revoke:` with the ID of an access record, `refund:` with that of a payment, or `cancel:` with that of a subscription. */
                if?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChecks"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `refund_too_large`, `payment_not_refundable`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `access_not_found`, `payment_not_found`, `subscription_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`, `storage_full`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    checkManyAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The parameters, as a form. The signature covers it. */
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                    user_ref: string;
                    /** @description 1 to 1000 rids with a space between them, which is written `%20` or `+`. */
                    rids: string;
                    /** @description The action after which the answer would hold; it is not carried out. `revoke:` with the ID of an access record, `refund:` with that of a payment, or `cancel:` with that of a subscription. */
                    if?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessChecks"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `refund_too_large`, `payment_not_refundable`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `access_not_found`, `payment_not_found`, `subscription_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`, `storage_full`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEntitlements: {
        parameters: {
            query: {
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref: string;
                /** @description The `cursor` of the previous page; left out for the first page. */
                cursor?: string;
                /** @description Records per page; more than 1,000 is lowered to 1,000. */
                pagesize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EntitlementPage"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchSubscriptions: {
        parameters: {
            query?: {
                /** @description ID of the resource, as your site names it. */
                rid?: string;
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref?: string;
                /** @description Number of the page, counted from 0. */
                page?: number;
                /** @description Records per page; more than 1,000 is lowered to 1,000. */
                pagesize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionPage"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelSubscription: {
        parameters: {
            query: {
                /** @description ID of the resource, as your site names it. */
                rid: string;
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref: string;
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                idempotency_key?: string;
                /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                ts?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form body can carry the parameters instead of the query. Send each once, in one of the two; the signature covers both. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description ID of the resource, as your site names it. */
                    rid?: string;
                    /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                    user_ref?: string;
                    /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                    idempotency_key?: string;
                    /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                    ts?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description `true` if a request with this `idempotency_key` took effect before, and this is its answer; left out otherwise. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `idempotency_key_reused`, `request_replayed`, `ts_out_of_range`, `answer_erased`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `subscription_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`, `request_running`, `storage_full`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumeSubscription: {
        parameters: {
            query: {
                /** @description ID of the resource, as your site names it. */
                rid: string;
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref: string;
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                idempotency_key?: string;
                /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                ts?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form body can carry the parameters instead of the query. Send each once, in one of the two; the signature covers both. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description ID of the resource, as your site names it. */
                    rid?: string;
                    /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                    user_ref?: string;
                    /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                    idempotency_key?: string;
                    /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                    ts?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description `true` if a request with this `idempotency_key` took effect before, and this is its answer; left out otherwise. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `idempotency_key_reused`, `request_replayed`, `ts_out_of_range`, `answer_erased`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `subscription_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`, `request_running`, `storage_full`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getManageLink: {
        parameters: {
            query: {
                /** @description ID of the resource, as your site names it. */
                rid: string;
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManageLink"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `subscription_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchPayments: {
        parameters: {
            query?: {
                /** @description ID of the resource, as your site names it. */
                rid?: string;
                /** @description Your own name for the user, or the user's `uid`, which is accepted in its place, for good. */
                user_ref?: string;
                /** @description Number of the page, counted from 0. */
                page?: number;
                /** @description Records per page; more than 1,000 is lowered to 1,000. */
                pagesize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentPage"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    refundPayment: {
        parameters: {
            query: {
                /** @description ID of the payment. */
                payment: string;
                /** @description The amount to refund, in major units, such as `2.50`; by default all that is left of the payment. */
                amount?: string;
                /** @description Your own name for the refund: a repeated request with the same name refunds once. This or an `idempotency_key` is required to refund a part of the payment. */
                reference?: string;
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                idempotency_key?: string;
                /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                ts?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form body can carry the parameters instead of the query. Send each once, in one of the two; the signature covers both. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description ID of the payment. */
                    payment?: string;
                    /** @description The amount to refund, in major units, such as `2.50`; by default all that is left of the payment. */
                    amount?: string;
                    /** @description Your own name for the refund: a repeated request with the same name refunds once. This or an `idempotency_key` is required to refund a part of the payment. */
                    reference?: string;
                    /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                    idempotency_key?: string;
                    /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                    ts?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description `true` if a request with this `idempotency_key` took effect before, and this is its answer; left out otherwise. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `idempotency_key_reused`, `request_replayed`, `ts_out_of_range`, `answer_erased`, `refund_too_large`, `payment_not_refundable`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `payment_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`, `request_running`, `storage_full`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDownload: {
        parameters: {
            query: {
                /** @description ID of the resource, as your site names it. */
                rid: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Download"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `download_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDownloadUrl: {
        parameters: {
            query: {
                /** @description ID of the resource, as your site names it. */
                rid: string;
                /** @description Lifetime of the link in seconds. This or `expiration` is required; if both are given, the earlier end counts. */
                lifetime?: number;
                /** @description When the link expires, in seconds since 1970. This or `lifetime` is required; if both are given, the earlier end counts. */
                expiration?: number;
                /** @description Another name for `expiration`, as in the response. Give one of the two. */
                expires?: number;
                /** @description Ties the link to this reader, named by `user_ref` or `uid`: it works only while they have access, directly or through a pass, which is checked on every use. */
                user_ref?: string;
                /** @description The number of times that the file may be fetched. Fetches within 24 hours of the first count as one. */
                limit?: number;
                /** @description The file name that the reader gets instead of the one that is stored. */
                filename?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadUrl"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `link_end_passed`, `link_life_too_long`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `access_not_found`, `download_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The service's user ID. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `user_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchEvents: {
        parameters: {
            query?: {
                /** @description The `cursor` of the previous page. Without it, the oldest event that is kept comes first; `latest` returns the current cursor and no events. */
                after?: string;
                /** @description Only events of these comma-separated types. `access.*` is a whole group. The cursor moves past other events. */
                types?: string;
                /** @description Records per page; more than 1,000 is lowered to 1,000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayEvents: {
        parameters: {
            query: {
                /** @description The id of a webhook endpoint. */
                endpoint: string;
                /** @description Events from this time on, in seconds of real time. */
                from: number;
                /** @description Events up to this time, inclusive, in seconds of real time; now by default. */
                to?: number;
                /** @description `failed` sends events that were not delivered, `all` sends all events again. */
                mode?: "failed" | "all";
                /** @description Whether to count the events only, and send none. */
                preview?: boolean;
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                idempotency_key?: string;
                /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                ts?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form body can carry the parameters instead of the query. Send each once, in one of the two; the signature covers both. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description The id of a webhook endpoint. */
                    endpoint?: string;
                    /** @description Events from this time on, in seconds of real time. */
                    from?: number;
                    /** @description Events up to this time, inclusive, in seconds of real time; now by default. */
                    to?: number;
                    /**
                     * @description `failed` sends events that were not delivered, `all` sends all events again.
                     * @default failed
                     * @enum {unknown}
                     */
                    mode?: "failed" | "all";
                    /**
                     * @description Whether to count the events only, and send none.
                     * @default false
                     */
                    preview?: boolean;
                    /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                    idempotency_key?: string;
                    /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                    ts?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description `true` if a request with this `idempotency_key` took effect before, and this is its answer; left out otherwise. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReplay"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `idempotency_key_reused`, `request_replayed`, `ts_out_of_range`, `answer_erased`, `webhook_is_off`, `replay_running`, `replay_too_large`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The record was not found. Codes: `webhook_not_found`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`, `request_running`, `storage_full`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    advanceClock: {
        parameters: {
            query: {
                /** @description Number of seconds to move the clock forward; ten years at most. */
                seconds: number;
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                idempotency_key?: string;
                /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                ts?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A form body can carry the parameters instead of the query. Send each once, in one of the two; the signature covers both. */
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description Number of seconds to move the clock forward; ten years at most. */
                    seconds?: number;
                    /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                    idempotency_key?: string;
                    /** @description When the request was signed, in seconds since 1970: at most 300 s from the time of the service. Required if the application is set so; such a request then takes effect once. */
                    ts?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description `true` if a request with this `idempotency_key` took effect before, and this is its answer; left out otherwise. */
                    "Idempotent-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            /** @description A parameter is missing or can't be read. Codes: `invalid_parameter`, `invalid_request`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed; see `WWW-Authenticate`. Codes: `unauthorized`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. Codes: `method_not_allowed`, `idempotency_key_reused`, `request_replayed`, `ts_out_of_range`, `answer_erased`, `clock_is_moving`, `clock_only_forward`. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request was sent over plain HTTP, although the service has an https address. Codes: `https_required`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. Codes: `too_many_requests`. */
            429: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An internal error. Codes: `internal_error`. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. Codes: `overloaded`, `database_unavailable`, `request_running`, `storage_full`, `on_hold`, `provider_unavailable`. */
            503: {
                headers: {
                    /** @description Seconds after which to send the request again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
