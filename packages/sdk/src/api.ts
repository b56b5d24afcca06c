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
         * @description Live access only: expired or revoked access is a 404.
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
         * @description Newest first. Filters combine with AND. Revoked access is never shown.
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
         * @description Ends every source of the access at once. The second revoke is a 404.
         */
        post: operations["revokeAccess"];
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
            /** @description When access ends, in seconds; left out when it never does. */
            expires?: number;
            /** @description Reference of the last grant, or the uid. */
            user_ref: string;
            /** @description The user's e-mail address. */
            user_email: string;
            /** @description Tags of the record. */
            tags: string[];
        };
        AccessPage: {
            /** @description The records of this page. */
            data: components["schemas"]["AccessDetails"][];
            /** @description Count of all matches. */
            total: number;
            /** @description The page, counted from 0. */
            page: number;
            /** @description Records a page, as it was used. */
            pagesize: number;
        };
        Error: {
            error: {
                /** @description What is wrong, for people. */
                message: string;
                /** @description What is wrong, for programs. */
                code: string;
                /** @description Name it when you ask for help. */
                request_id: string;
            };
        };
        Refund: {
            /** @description Refund ID. */
            id: string;
            /** @description In major units of the currency. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
            status: "pending" | "succeeded" | "failed";
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
            /** @description When access ends, in seconds; left out when it never does. */
            expires?: number;
            /** @description Reference of the last grant, or the uid. */
            user_ref: string;
            /** @description The user's e-mail address. */
            user_email: string;
            /** @description Tags of the record. */
            tags: string[];
            /** @description When access was revoked, in seconds. */
            revoked: number;
            /** @description The newest refund, or null where nothing was paid. */
            refund: components["schemas"]["Refund"] | null;
            /** @description All of them. */
            refunds: components["schemas"]["Refund"][];
        };
        User: {
            /** @description The service's user ID. */
            uid: string;
            /** @description The user's e-mail address. */
            email: string;
            /** @description Empty if it is not known. */
            first_name: string;
            /** @description Empty if it is not known. */
            last_name: string;
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
                /** @description Answer with an expired access too. */
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
            /** @description A parameter is missing or cannot be read. */
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
                /** @description The user's e-mail address; names the user within your application. */
                email?: string;
                /** @description A tag. */
                tag?: string;
                /** @description Find expired access too. */
                show_expired?: boolean;
                /** @description The page, counted from 0. */
                page?: number;
                /** @description Records a page; more than 1000 is lowered to that. */
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
            /** @description A parameter is missing or cannot be read. */
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
                /** @description The user's e-mail address; names the user within your application. */
                email: string;
                /** @description Your own name for the user: unique, and the same every time. */
                user_ref?: string;
                /** @description When the access ends, in seconds since 1970; none means no end. */
                expiration?: number;
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
            /** @description A parameter is missing or cannot be read. */
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
                /** @description Pay back what was paid. */
                refund?: boolean;
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
            /** @description A parameter is missing or cannot be read. */
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
            /** @description A parameter is missing or cannot be read. */
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
}
