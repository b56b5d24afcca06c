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
         * @description Newest first. Filters combine with AND. Revoked access is never shown. From the 10,000th record on, who reads page after page sees each record once, also while others are granted.
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
         * @description Ends every source of the access at once, a subscription too. The second revoke is a 404. With `refund` the current payment of each source is paid back, once.
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
         * @description Answers with 200 also if the answer is no: look at `granted`, and at nothing else. With `if`, the answer is the one after an action, which is not carried out.
         */
        get: operations["checkAccess"];
        put?: never;
        /**
         * The same for up to 1,000 resources
         * @description Changes nothing. The parameters can be sent as a form body, which the signature covers; a request of up to 160 KiB is read.
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
         * @description Newest first, ended ones too. Filters combine with AND.
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
         * @description Stops its renewal; access goes on to the end of the paid period. One that is canceled already stays as it is.
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
         * @description Before its end: it is renewed again as if it had not been canceled.
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
         * @description The link is for its reader alone: with it the card is changed, and it is ended.
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
         * @description A full refund ends what the payment held open, a partial one does not. A partial refund needs a `reference` or an `idempotency_key`, which makes it safe to repeat; a full one is safe to repeat without.
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
         * @description Published downloads only. `/r2/download` is the same.
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
         * @description Whoever has the link can fetch the file until its end. Making one changes nothing. A file that is replaced later is what the link then leads to. `/r2/download/url` is the same.
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
         * @description Names that are not known are empty.
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
         * @description Oldest first. Store the `cursor`, and ask again with it: no event is skipped, and none comes twice. Events are kept for a time that the operator sets, 30 days by default.
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
         * @description Sends the events of a time range to one endpoint, with the same ids, if it is switched on. Those that wait for an attempt are not sent twice. At most 100,000 events, and one replay at a time.
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
         * @description In the sandbox only.
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
         * @description In the sandbox only, and for all of its applications. Each moment at which something is due is visited in order; the answer comes when all is done.
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["EventAccess"];
        };
        AccessCheck: {
            /** @description The resource, as it was asked. */
            rid: string;
            /** @description Whether the reader may see it. Nothing else in this record says so. */
            granted: boolean;
            /**
             * @description Why. If granted: `granted`: Access was granted, by your site or by staff. `purchased`: Access was bought with a single payment. `subscribed`: A subscription pays for it. `trial`: A free trial is running. `grace`: The renewal is unpaid, and access stays open for the grace period. `canceled`: The subscription is canceled, and access continues until the end of what was paid for. If not, what ended last: `never_granted`: There has never been access. `not_started`: Nothing that gives access has begun yet. `expired`: Access has reached its end. `revoked`: Access was revoked. `refunded`: The payment was refunded. `dispute_lost`: The dispute about the payment was lost. `unpaid`: The renewal of the subscription was not paid. `user_unknown`: No user has this reference.
             * @enum {unknown}
             */
            code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown";
            /** @description Everything that gives access now or later; empty if it is not granted. */
            sources: components["schemas"]["AccessSource"][];
            /** @description When access ends, in seconds, as `expires` of `GET /r2/access`; left out if it has no end or is not granted. */
            until?: number;
            /** @description The earliest time, in seconds, at which this answer can change by itself; left out if it can not. */
            next_change?: number;
            /** @description The rid of the pass that decides; left out if no pass does. */
            via?: string;
            /** @description The access record; left out if it is not granted. */
            access_id?: string;
            /** @description What the reader could buy: the resource and passes that open it; empty if access is granted. */
            offers: components["schemas"]["Offer"][];
            /** @description When access ended, in seconds; left out if it is granted or there never was any. */
            since?: number;
        };
        AccessChecks: {
            /** @description The time of the answer, in seconds. */
            now: number;
            /** @description The reader, as asked. */
            user_ref: string;
            /** @description One for each rid, in the order of the request. */
            checks: components["schemas"]["AccessCheck"][];
        };
        AccessDetails: {
            /** @description Public access ID. */
            id: string;
            /** @description Application ID. */
            aid: string;
            /** @description Resource ID. */
            rid: string;
            /** @description The service's user ID. */
            uid: string;
            /** @description Price paid, in major units of the currency; 0 for a grant. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description When access was granted, in seconds. */
            created: number;
            /** @description Reference of the last grant, or the uid. */
            user_ref: string;
            /** @description The user's email address. */
            user_email: string;
            /** @description Tags of the record. */
            tags: string[];
            /** @description When access ends, in seconds; left out for access without an end date. */
            expires?: number;
            /** @description The resource ID of the pass that this record is of; left out for a record of `rid` itself. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["EventAccess"];
        };
        AccessPage: {
            /** @description The records of this page. */
            data: components["schemas"]["AccessDetails"][];
            /** @description The total number of matches. */
            total: number;
            /** @description The page, counted from 0. */
            page: number;
            /** @description The page size that was used. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["EventAccess"];
        };
        AccessSource: {
            /**
             * @description What gives access.
             * @enum {unknown}
             */
            kind: "grant" | "purchase" | "subscription";
            /** @description The id of the subscription, of the payment of a purchase, or of the access record of a grant: what `if` takes after `cancel:`, `refund:` and `revoke:`. */
            id: string;
            /** @description Since when it gives access, in seconds; in the future for a queued period. */
            from: number;
            /** @description When it ends, in seconds; left out if it has no end. */
            until?: number;
            /** @description The rid of the pass that it gives access through. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["EventResource"];
        };
        Clock: {
            /** @description What time it is in the sandbox, in seconds. */
            time: number;
        };
        DisputeLostEvent: {
            /**
             * @description A dispute was decided for the payer. What the payment gave access to has ended.
             * @enum {string}
             */
            type: "dispute.lost";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        DisputeOpenedEvent: {
            /**
             * @description A payer disputes a payment. Access stays open.
             * @enum {string}
             */
            type: "dispute.opened";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        DisputeWonEvent: {
            /**
             * @description A dispute was decided for the seller.
             * @enum {string}
             */
            type: "dispute.won";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        Download: {
            /** @description Download ID. */
            id: string;
            /** @description What it is called. */
            title: string;
            /** @description Empty if there is none. */
            description: string;
            /** @description Resource ID. */
            rid: string;
            /** @description The URL of a picture; empty if there is none. */
            image: string;
            /** @description The lowest price of the resource, as `9.99 USD`; empty if it has none. Of several currencies the application's own counts, or else that of the first offer. */
            price: string;
            /** @description When it was last changed, in seconds. */
            modified_date: number;
            /** @description When it was created, in seconds. */
            created_date: number;
            /** @description When it was published, in seconds. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["EventDelivery"];
        };
        DownloadUrl: {
            /** @description Where the file can be downloaded. Anybody who has this URL can use it. */
            url: string;
            /** @description When the link expires, in seconds. */
            expires: number;
        };
        Entitlement: {
            /** @description The resource, as it was asked. */
            rid: string;
            /** @description Whether the reader may see it. Nothing else in this record says so. */
            granted: boolean;
            /**
             * @description Why. If granted: `granted`: Access was granted, by your site or by staff. `purchased`: Access was bought with a single payment. `subscribed`: A subscription pays for it. `trial`: A free trial is running. `grace`: The renewal is unpaid, and access stays open for the grace period. `canceled`: The subscription is canceled, and access continues until the end of what was paid for. If not, what ended last: `never_granted`: There has never been access. `not_started`: Nothing that gives access has begun yet. `expired`: Access has reached its end. `revoked`: Access was revoked. `refunded`: The payment was refunded. `dispute_lost`: The dispute about the payment was lost. `unpaid`: The renewal of the subscription was not paid. `user_unknown`: No user has this reference.
             * @enum {unknown}
             */
            code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown";
            /** @description Everything that gives access now or later; empty if it is not granted. */
            sources: components["schemas"]["AccessSource"][];
            /** @description When access ends, in seconds, as `expires` of `GET /r2/access`; left out if it has no end or is not granted. */
            until?: number;
            /** @description The earliest time, in seconds, at which this answer can change by itself; left out if it can not. */
            next_change?: number;
            /** @description The rid of the pass that decides; left out if no pass does. */
            via?: string;
            /** @description The access record; left out if it is not granted. */
            access_id?: string;
            opens?: components["schemas"]["Opens"];
        };
        EntitlementPage: {
            /** @description The time of the answer, in seconds. */
            now: number;
            /** @description The reader, as asked. */
            user_ref: string;
            /** @description The entitlements of this page, by rid. */
            data: components["schemas"]["Entitlement"][];
            /** @description Whether there are more of them. */
            more: boolean;
            /** @description Where the next page begins; left out on the last one. */
            cursor?: string;
        };
        Error: {
            /** @description What is wrong. */
            error: {
                /** @description What is wrong, for people. */
                message: string;
                /** @description What is wrong, for programs. */
                code: string;
                /** @description The parameter that is wrong; left out if the error is not about one. */
                parameter?: string;
                /** @description Quote it when you ask for help. */
                request_id: string;
            };
        };
        EventAccess: {
            /** @description Public access ID. */
            id: string;
            /** @description Application ID. */
            aid: string;
            /** @description Resource ID. */
            rid: string;
            /** @description The service's user ID. */
            uid: string;
            /** @description Price paid, in major units of the currency; 0 for a grant. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description When access was granted, in seconds. */
            created: number;
            /** @description Reference of the last grant, or the uid. */
            user_ref: string;
            /** @description The user's email address. */
            user_email: string;
            /** @description Tags of the record. */
            tags: string[];
            /** @description When access ends, in seconds; left out for access without an end date. */
            expires?: number;
            /**
             * @description At the time of the event.
             * @enum {unknown}
             */
            status: "live" | "expired" | "revoked";
            /** @description When it was revoked, in seconds. */
            revoked?: number;
            /** @description True if the record was too long and lacks its long values. */
            more?: boolean;
        };
        EventDelivery: {
            /** @description Delivery ID. */
            id: string;
            /** @description Application ID. */
            aid: string;
            /** @description Resource ID. */
            rid: string;
            /** @description The service's user ID; null if the link was made for no reader. */
            uid: string | null;
            /** @description Download ID. */
            download_id: string;
            /** @description Identifies the link; nobody can download with it. */
            link: string;
            /** @description How many were sent. */
            bytes: number;
            /**
             * @description `redirected` if another server sends the file, so that we do not know the outcome.
             * @enum {unknown}
             */
            outcome: "complete" | "redirected";
            /** @description When it was sent, in seconds. */
            at: number;
        };
        EventErasedUser: {
            /** @description The service's user ID. */
            uid: string;
            /** @description Your references of the reader. */
            references: string[];
        };
        EventMergedUser: {
            /** @description The service's user ID. */
            uid: string;
            /** @description The user's email address. */
            email: string;
            /** @description Empty if it is not known. */
            first_name: string;
            /** @description Empty if it is not known. */
            last_name: string;
            /** @description Your references of the reader. */
            references: string[];
            /** @description Uids and references of users who were merged into this one. */
            aliases: string[];
            /** @description The uid that is now an alias of this user. */
            merged_uid: string;
            /** @description True if the record was too long and lacks its long values. */
            more?: boolean;
        };
        EventPage: {
            /** @description The events of this page, oldest first. */
            data: (components["schemas"]["UserAccessChangedEvent"] | components["schemas"]["AccessGrantedEvent"] | components["schemas"]["AccessChangedEvent"] | components["schemas"]["AccessRevokedEvent"] | components["schemas"]["AccessEndedEvent"] | components["schemas"]["SubscriptionStartedEvent"] | components["schemas"]["SubscriptionTrialEndingEvent"] | components["schemas"]["SubscriptionRenewedEvent"] | components["schemas"]["SubscriptionPastDueEvent"] | components["schemas"]["SubscriptionRecoveredEvent"] | components["schemas"]["SubscriptionCanceledEvent"] | components["schemas"]["SubscriptionResumedEvent"] | components["schemas"]["SubscriptionEndedEvent"] | components["schemas"]["PaymentSucceededEvent"] | components["schemas"]["PaymentFailedEvent"] | components["schemas"]["RefundSucceededEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["DisputeOpenedEvent"] | components["schemas"]["DisputeWonEvent"] | components["schemas"]["DisputeLostEvent"] | components["schemas"]["DownloadDeliveredEvent"] | components["schemas"]["UserUpdatedEvent"] | components["schemas"]["UserMergedEvent"] | components["schemas"]["UserErasedEvent"] | components["schemas"]["CatalogueChangedEvent"])[];
            /** @description Whether there are more of them now. */
            more: boolean;
            /** @description Where the next page begins, also if there is nothing to read yet. Store it. */
            cursor: string;
        };
        EventReaderState: {
            /** @description The service's user ID. */
            uid: string;
            /** @description The reader's email address; empty if it is unknown. */
            user_email: string;
            /** @description Your references of the reader. */
            references: string[];
            /** @description Everything that the reader has access to, by rid, as `GET /r2/access/list` lists it. */
            entitlements: components["schemas"]["Entitlement"][];
            /** @description Whether there is more than fits into an event. */
            more: boolean;
            /** @description Where to read all of it; left out if nothing is missing. */
            next?: {
                /** @description The path to request. */
                path: string;
                /** @description Its parameter `user_ref`. */
                user_ref: string;
            };
        };
        EventRefund: {
            /** @description Refund ID. */
            id: string;
            /** @description In major units of the currency. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description `pending`: the provider has not answered yet. */
            status: "pending" | "succeeded" | "failed";
            /** @description Why it failed, as `disputed`; left out otherwise. */
            reason?: string;
            /** @description Application ID. */
            aid: string;
            /** @description Payment ID. */
            payment_id: string;
            /** @description Resource ID. */
            rid: string;
            /** @description The service's user ID. */
            uid: string;
        };
        EventReplay: {
            /** @description Replay ID; left out of a preview. */
            id?: string;
            /** @description Webhook endpoint ID. */
            endpoint: string;
            /**
             * @description `failed` leaves out events that were delivered.
             * @enum {unknown}
             */
            mode: "failed" | "all";
            /** @description In seconds. */
            from: number;
            /** @description In seconds; included. */
            to: number;
            /** @description How many events are sent. */
            events: number;
            /** @description When the first of them was written; left out if there is none. */
            oldest?: number;
            /** @description When the last of them was written; left out if there is none. */
            newest?: number;
        };
        EventResource: {
            /** @description Application ID. */
            aid: string;
            /** @description Resource ID. */
            rid: string;
            /** @description What readers see. */
            name: string;
            /** @description Where it is; may be empty. */
            url: string;
            /** @description May be empty. */
            description: string;
            /** @description The URL of a picture; may be empty. */
            image: string;
            /** @description In seconds. */
            created: number;
            /** @description Whether it can no longer be sold or granted. */
            archived: boolean;
            /** @description At what prices it is sold now. */
            offers?: components["schemas"]["Offer"][];
            opens?: components["schemas"]["Opens"];
            /** @description True if the record was too long and lacks its long values. */
            more?: boolean;
        };
        EventUser: {
            /** @description The service's user ID. */
            uid: string;
            /** @description The user's email address. */
            email: string;
            /** @description Empty if it is not known. */
            first_name: string;
            /** @description Empty if it is not known. */
            last_name: string;
            /** @description Your references of the reader. */
            references: string[];
            /** @description Uids and references of users who were merged into this one. */
            aliases: string[];
            /** @description True if the record was too long and lacks its long values. */
            more?: boolean;
        };
        ManageLink: {
            /** @description Where the reader changes the card, cancels or resumes. */
            url: string;
            /** @description When the link expires, in seconds. */
            expires: number;
        };
        Offer: {
            /** @description The id of the price. */
            price: string;
            /** @description What is sold: the resource, or a pass that opens it. */
            rid: string;
            /** @description In major units of the currency. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description Whether it is a subscription. */
            recurring: boolean;
            /** @description Days before the first charge; 0 without a trial. */
            trial_days: number;
            /** @description As `1 month`; left out if it is bought once, without an end. */
            period?: string;
        };
        Opens: {
            /** @description Resources, by rid. */
            rids: string[];
            /** @description All resources whose rid begins with one of these. */
            prefixes: string[];
            /** @description Whether it opens everything. */
            all: boolean;
        };
        Payment: {
            /** @description Payment ID. */
            id: string;
            /** @description Application ID. */
            aid: string;
            /** @description Resource ID. */
            rid: string;
            /** @description The service's user ID. */
            uid: string;
            /** @description In major units of the currency. */
            amount: number;
            /** @description How much of it was refunded. */
            refunded: number;
            /** @description ISO 4217. */
            currency: string;
            /**
             * @description What became of the payment. `lost`: a dispute was lost.
             * @enum {unknown}
             */
            status: "pending" | "succeeded" | "failed" | "partially_refunded" | "refunded" | "disputed" | "lost";
            /** @description Why somebody should look at it: `late`, `duplicate` or `mismatch`. */
            flag?: string;
            /** @description In seconds. */
            created: number;
            /** @description Left out for a one-time purchase. */
            subscription_id?: string;
            /** @description Left out if the payment granted no access. */
            access_id?: string;
            /** @description All of them, oldest first. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        PaymentPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Payment"][];
            /** @description The total number of matches. */
            total: number;
            /** @description The page, counted from 0. */
            page: number;
            /** @description The page size that was used. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["Payment"];
        };
        Refund: {
            /** @description Refund ID. */
            id: string;
            /** @description In major units of the currency. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description `pending`: the provider has not answered yet. */
            status: "pending" | "succeeded" | "failed";
            /** @description Why it failed, as `disputed`; left out otherwise. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["EventRefund"];
        };
        RevokedAccess: {
            /** @description Public access ID. */
            id: string;
            /** @description Application ID. */
            aid: string;
            /** @description Resource ID. */
            rid: string;
            /** @description The service's user ID. */
            uid: string;
            /** @description Price paid, in major units of the currency; 0 for a grant. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description When access was granted, in seconds. */
            created: number;
            /** @description Reference of the last grant, or the uid. */
            user_ref: string;
            /** @description The user's email address. */
            user_email: string;
            /** @description Tags of the record. */
            tags: string[];
            /** @description When access ends, in seconds; left out for access without an end date. */
            expires?: number;
            /** @description When access was revoked, in seconds. */
            revoked: number;
            /** @description The newest refund, or null if nothing was paid. */
            refund: components["schemas"]["Refund"] | null;
            /** @description All of them. */
            refunds: components["schemas"]["Refund"][];
        };
        Subscription: {
            /** @description Subscription ID. */
            id: string;
            /** @description Application ID. */
            aid: string;
            /** @description Resource ID. */
            rid: string;
            /** @description The service's user ID. */
            uid: string;
            /** @description Reference that its access shows, or the uid. */
            user_ref: string;
            /** @description The user's email address. */
            user_email: string;
            /**
             * @description All but `ended` grant access.
             * @enum {unknown}
             */
            status: "trialing" | "active" | "past_due" | "canceled" | "ended";
            /** @description Price of a period, in major units of the currency. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            /** @description As `1 month` or `3 months`. */
            period: string;
            /** @description When it began, in seconds. */
            created: number;
            /** @description In seconds. */
            current_period_start: number;
            /** @description In seconds; the next charge is then. */
            current_period_end: number;
            /** @description Whether it ends with the current period instead of being renewed. */
            cancel_at_period_end: boolean;
            /** @description When it was canceled, in seconds; left out if it was not. */
            canceled?: number;
            /** @description The access that it grants. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        SubscriptionPage: {
            /** @description The records of this page. */
            data: components["schemas"]["Subscription"][];
            /** @description The total number of matches. */
            total: number;
            /** @description The page, counted from 0. */
            page: number;
            /** @description The page size that was used. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
            redacted?: boolean;
            data: components["schemas"]["Subscription"];
        };
        User: {
            /** @description The service's user ID. */
            uid: string;
            /** @description The user's email address. */
            email: string;
            /** @description Empty if it is not known. */
            first_name: string;
            /** @description Empty if it is not known. */
            last_name: string;
        };
        UserAccessChangedEvent: {
            /**
             * @description What a reader has access to has changed. It carries all of it, so that most sites need no other event.
             * @enum {string}
             */
            type: "user.access_changed";
            /** @description Event ID. It stays the same when an event is delivered again, so it shows duplicates. */
            id: string;
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
            /** @description When it happened, as `2026-11-03T20:26:10.000Z`. */
            timestamp: string;
            /**
             * @description The schema version of the event.
             * @enum {number}
             */
            version: 1;
            /** @description Application ID. */
            aid: string;
            /**
             * @description Where it happened.
             * @enum {unknown}
             */
            environment: "production" | "sandbox";
            /** @description Counts the events about one reader. Drop an event whose number is lower than one that you have handled. Left out for an event about no reader. */
            sequence?: number;
            /** @description The former values of what has changed. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Who or what caused it. */
            cause: {
                /** @description Who: `api`, `checkout`, `worker`, `clock`, `staff:ID`, … */
                actor: string;
                /** @description What they did. */
                action: string;
                /** @description Why, as `refunded` or `unpaid`. */
                why?: string;
                /** @description The ID of the request that caused it, if traces are passed on. */
                request_id?: string;
                /** @description The trace of that request, as in the header `traceparent`. */
                traceparent?: string;
            };
            /** @description True if the reader was erased since: texts about them are empty. */
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
                /** @description The resource. */
                rid: string;
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref: string;
                /** @description Answer with an expired access of the resource itself, if there is no live one. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
                rid?: string;
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref?: string;
                /** @description The user's email address; names the user within your application. */
                email?: string;
                /** @description A tag. */
                tag?: string;
                /** @description Find expired access too. */
                show_expired?: boolean;
                /** @description The page, counted from 0. */
                page?: number;
                /** @description Records per page; more than 1000 counts as 1000. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
                rid: string;
                /** @description The user's email address; names the user within your application. */
                email: string;
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref?: string;
                /** @description When the access ends, in seconds since 1970; none means no end. */
                expiration?: number;
                /** @description The same as `expiration`, as the record calls it. Give one of them. */
                expires?: number;
                /** @description Shown in the notification, as plain text. */
                message?: string;
                /** @description Send no notification. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
                rid: string;
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref: string;
                /** @description Pay back what was paid for now. */
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
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedAccess"];
                };
            };
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref: string;
                /** @description 1 to 100 rids with a space between them, which is written `%20` or `+`. */
                rids: string;
                /** @description Answer as after this action, and change nothing: `revoke:` with the id of an access, `refund:` with that of a payment, or `cancel:` with that of a subscription. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
            query: {
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref: string;
                /** @description 1 to 1000 rids with a space between them, which is written `%20` or `+`. */
                rids: string;
                /** @description Answer as after this action, and change nothing: `revoke:` with the id of an access, `refund:` with that of a payment, or `cancel:` with that of a subscription. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref: string;
                /** @description The `cursor` of the page before; none for the first page. */
                cursor?: string;
                /** @description Records per page; more than 1000 counts as 1000. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
                rid?: string;
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref?: string;
                /** @description The page, counted from 0. */
                page?: number;
                /** @description Records per page; more than 1000 counts as 1000. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
                rid: string;
                /** @description Your own name for the user: unique, and the same every time. */
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
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
                rid: string;
                /** @description Your own name for the user: unique, and the same every time. */
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
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
                rid: string;
                /** @description Your own name for the user: unique, and the same every time. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
                rid?: string;
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref?: string;
                /** @description The page, counted from 0. */
                page?: number;
                /** @description Records per page; more than 1000 counts as 1000. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The payment. */
                payment: string;
                /** @description In major units, as `2.50`; all that is left of the payment unless given. */
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
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The resource. */
                rid: string;
                /** @description Lifetime of the link in seconds. It or `expiration` must be given. */
                lifetime?: number;
                /** @description When the link ends, in seconds since 1970. Of both, the earlier counts. */
                expiration?: number;
                /** @description The same as `expiration`, as the answer calls it. Give one of them. */
                expires?: number;
                /** @description Ties the link to this reader: it works only while they have access, which is checked on every use. */
                user_ref?: string;
                /** @description How often the file may be fetched. Fetches within 24 hours of the first count as one. */
                limit?: number;
                /** @description What the file is called, in place of its own name. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description The `cursor` of the page before. Without it, the oldest event that is kept comes first; `latest` returns the cursor of now, and no events. */
                after?: string;
                /** @description Only events of these types, with commas between them. `access.*` is a whole group. The cursor moves past the others. */
                types?: string;
                /** @description Records per page; more than 1000 counts as 1000. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description Events up to this time; now by default. */
                to?: number;
                /** @description `failed` sends what was not delivered, `all` everything once more. */
                mode?: "failed" | "all";
                /** @description Counts the events and sends none of them. */
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
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReplay"];
                };
            };
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No such item. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
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
                /** @description How far, in seconds; ten years at most. */
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
            /** @description A parameter is missing or can't be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Authorization failed. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The method is not allowed here, or a rule refuses the request. */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The limit that the operator has set is reached; see `Retry-After`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Our fault. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Overloaded, restarting or without a database; see `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
