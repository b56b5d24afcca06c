// Made from gatehouse-management.json by `npm run contract`.
export interface paths {
    "/management/v1/{environment}/applications/{aid}/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read revenue, subscribers and access over time
         * @description Roles: developer, support, viewer.
         */
        get: operations["getFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List access records
         * @description Roles: developer, support, viewer.
         */
        get: operations["listAccess"];
        put?: never;
        /**
         * Grant a reader access to a resource
         * @description Roles: support.
         */
        post: operations["grantAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/access/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask why a reader can or can’t see a resource
         * @description Roles: developer, support, viewer.
         */
        get: operations["checkAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/access/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an access record and what gives it
         * @description Roles: developer, support, viewer.
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
    "/management/v1/{environment}/applications/{aid}/exports/access.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export access records as CSV
         * @description Roles: support.
         */
        get: operations["exportAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/access/{id}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change when access ends
         * @description Roles: support.
         */
        post: operations["extendAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/access/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke access, with a refund if asked
         * @description Roles: support.
         */
        post: operations["revokeAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search readers
         * @description Roles: developer, support, viewer.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/exports/users.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export readers as CSV
         * @description Roles: support.
         */
        get: operations["exportUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users/{uid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a reader with access, payments, emails and notes
         * @description Roles: developer, support, viewer.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the email address or the name of a reader
         * @description Roles: support.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users/{uid}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened to a reader
         * @description Roles: developer, support, viewer.
         */
        get: operations["listTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users/{uid}/references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a reference of your site for a reader
         * @description Roles: support.
         */
        post: operations["addReference"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users/{uid}/end-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all links of a reader to files and subscriptions
         * @description Roles: support.
         */
        post: operations["endLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users/{uid}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge a reader into another one
         * @description Roles: support.
         */
        post: operations["mergeUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users/{uid}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase all personal data of a reader
         * @description Roles: support.
         */
        post: operations["eraseUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users/{uid}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all data of a reader as JSON
         * @description Roles: support.
         */
        get: operations["exportUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users/{uid}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a note about a reader
         * @description Roles: support.
         */
        post: operations["addNote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/users/{uid}/notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a note about a reader
         * @description Roles: support.
         */
        delete: operations["removeNote"];
        options?: never;
        head?: never;
        /**
         * Change a note about a reader
         * @description Roles: support.
         */
        patch: operations["updateNote"];
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find readers, resources, payments and more by a few letters
         * @description Roles: developer, support, viewer.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List resources with their prices and files
         * @description Roles: developer, support, viewer.
         */
        get: operations["listResources"];
        put?: never;
        /**
         * Register a resource, such as an article
         * @description Roles: developer, support.
         */
        post: operations["createResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a resource
         * @description Roles: developer, support, viewer.
         */
        get: operations["getResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a resource; what is not given stays
         * @description Roles: developer, support.
         */
        patch: operations["updateResource"];
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}/opens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set which resources a pass opens
         * @description Roles: developer, support.
         */
        put: operations["setOpens"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop selling and granting a resource
         * @description Roles: developer, support.
         */
        post: operations["archiveResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the archiving of a resource
         * @description Roles: developer, support.
         */
        post: operations["restoreResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a price to a resource
         * @description Roles: developer, support.
         */
        post: operations["createPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}/prices/{price}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop selling at a price
         * @description Roles: developer, support.
         */
        post: operations["archivePrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}/prices/{price}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sell at a price again
         * @description Roles: developer, support.
         */
        post: operations["restorePrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search subscriptions
         * @description Roles: developer, support, viewer.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/exports/subscriptions.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export subscriptions as CSV
         * @description Roles: support.
         */
        get: operations["exportSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription
         * @description Roles: developer, support, viewer.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/subscriptions/{id}/cancel": {
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
         * @description Roles: support.
         */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/subscriptions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a cancellation
         * @description Roles: support.
         */
        post: operations["resumeSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/subscriptions/{id}/manage-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link with which the reader manages the subscription
         * @description Roles: support.
         */
        post: operations["createManageLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search payments
         * @description Roles: developer, support, viewer.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/exports/payments.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export payments as CSV
         * @description Roles: support.
         */
        get: operations["exportPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment with its refunds
         * @description Roles: developer, support, viewer.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/payments/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a payment, whole or in part
         * @description Roles: support.
         */
        post: operations["refundPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/downloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of all resources
         * @description Roles: developer, support, viewer.
         */
        get: operations["listDownloads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/downloads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is known about a file
         * @description Roles: developer, support, viewer.
         */
        get: operations["getDownload"];
        put?: never;
        post?: never;
        /**
         * Remove a file
         * @description Roles: developer, support.
         */
        delete: operations["removeDownload"];
        options?: never;
        head?: never;
        /**
         * Change the title of a file, or publish it
         * @description Roles: developer, support.
         */
        patch: operations["updateDownload"];
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}/downloads/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the order of the files
         * @description Roles: developer, support.
         */
        put: operations["orderDownloads"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/downloads/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a download link that expires
         * @description Roles: support.
         */
        post: operations["createDownloadLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}/downloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file for a resource
         * @description Roles: developer, support.
         */
        post: operations["uploadDownload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/downloads/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the content of a file
         * @description Roles: developer, support.
         */
        put: operations["replaceDownload"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was downloaded, by whom and when
         * @description Roles: developer, support, viewer.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/settings/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the logo
         * @description Roles: developer.
         */
        put: operations["setLogo"];
        post?: never;
        /**
         * Remove the logo
         * @description Roles: developer.
         */
        delete: operations["removeLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/resources/{rid}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the image of a resource
         * @description Roles: developer, support.
         */
        put: operations["setResourceImage"];
        post?: never;
        /**
         * Remove the image of a resource
         * @description Roles: developer, support.
         */
        delete: operations["removeResourceImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/downloads/{id}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the image of a file
         * @description Roles: developer, support.
         */
        put: operations["setDownloadImage"];
        post?: never;
        /**
         * Remove the image of a file
         * @description Roles: developer, support.
         */
        delete: operations["removeDownloadImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List emails to readers
         * @description Roles: developer, support, viewer.
         */
        get: operations["listEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/emails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an email as its reader got it
         * @description Roles: developer, support, viewer.
         */
        get: operations["getEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/emails/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email once more
         * @description Roles: support.
         */
        post: operations["resendEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/emails/resend-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all failed emails once more
         * @description Roles: support.
         */
        post: operations["resendFailedEmails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/refused-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refused requests to the access API
         * @description Roles: developer.
         */
        get: operations["listRefusedCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/management/v1/{environment}/applications/{aid}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings of the application
         * @description Roles: developer, support, viewer.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings; what is not given stays
         * @description Roles: developer.
         */
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/management/v1/{environment}/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the applications that the token may use
         * @description Roles: developer, support, viewer.
         */
        get: operations["listApplications"];
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
            /** @description All sources that give or gave the access: grants, purchases and subscriptions. */
            sources: components["schemas"]["SourceItem"][];
            /** @description The id of the access record. */
            id: string;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource_name: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The person's verified email address; empty if none is verified, or the person was erased. */
            email: string;
            /** @description The person's first and last name; may be empty. */
            name: string;
            /** @description The user_ref of the last grant; null if it had none. */
            user_ref: null | string;
            /** @description The tags of the access record, in the order in which they are shown. */
            tags: string[];
            /** @description When access was granted, in seconds since 1970. */
            created: number;
            /** @description When access ends, in seconds since 1970; null for access with no end date. */
            expires: null | number;
            /** @description When a subscription next renews the access, in seconds since 1970; null if none does, or if it has no end date. */
            renews: null | number;
            /** @description When access was revoked, in seconds since 1970; null if it was not. */
            revoked: null | number;
            /**
             * @description The current state. `ending`: live, but ends within seven days, and no subscription renews it.
             * @enum {string}
             */
            state: "expired" | "revoked" | "live" | "ending";
            /** @description The amount paid for the access; null if nothing was paid. */
            paid: null | components["schemas"]["Money"];
        };
        AccessItem: {
            /** @description The id of the access record. */
            id: string;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource_name: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The person's verified email address; empty if none is verified, or the person was erased. */
            email: string;
            /** @description The person's first and last name; may be empty. */
            name: string;
            /** @description The user_ref of the last grant; null if it had none. */
            user_ref: null | string;
            /** @description The tags of the access record, in the order in which they are shown. */
            tags: string[];
            /** @description When access was granted, in seconds since 1970. */
            created: number;
            /** @description When access ends, in seconds since 1970; null for access with no end date. */
            expires: null | number;
            /** @description When a subscription next renews the access, in seconds since 1970; null if none does, or if it has no end date. */
            renews: null | number;
            /** @description When access was revoked, in seconds since 1970; null if it was not. */
            revoked: null | number;
            /**
             * @description The current state. `ending`: live, but ends within seven days, and no subscription renews it.
             * @enum {string}
             */
            state: "expired" | "revoked" | "live" | "ending";
            /** @description The amount paid for the access; null if nothing was paid. */
            paid: null | components["schemas"]["Money"];
        };
        AccessItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["AccessItem"][];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        ApplicationItem: {
            /** @description The id of the application. */
            aid: string;
            /** @description The name of the application. */
            name: string;
            /** @description ISO 4217 code of the currency of free access, and of prices that name none. */
            currency: string;
            /** @description When the application was created, in seconds since 1970. */
            created: number;
            /** @description When the application was archived, in seconds since 1970; null while it is in use. */
            archived: null | number;
        };
        ApplicationList: {
            /** @description The applications that the token may use, including archived ones. */
            data: components["schemas"]["ApplicationItem"][];
        };
        Count: {
            /** @description The number of records. */
            count: number;
            /** @description The list of the dashboard that shows these records. */
            list: components["schemas"]["ListLink"];
        };
        DayRange: {
            /** @description The first day, such as `2027-03-01`, in the application's time zone. */
            first: string;
            /** @description The last day, inclusive, such as `2027-03-31`, in the application's time zone. */
            last: string;
        };
        DeliveryItem: {
            /** @description The id of the delivery. */
            id: string;
            /** @description When the delivery began, in seconds since 1970. */
            at: number;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the download. */
            download_id: string;
            /** @description The id of the person whom the link was made for; null for a link without one. */
            uid: null | string;
            /** @description The person's first and last name; may be empty. */
            name: string;
            /** @description The person's email address; empty if the link is not bound to a reader. */
            email: string;
            /** @description The id of the link, which can't be used to open it. */
            link: string;
            /** @description The number of HTTP responses that are counted as this delivery. */
            answers: number;
            /** @description The number of bytes that were sent. */
            bytes: number;
            /**
             * @description The outcome of the delivery. `redirected`: another server delivers the file, and only it knows the outcome.
             * @enum {string}
             */
            outcome: "complete" | "partial" | "redirected";
        };
        DeliveryItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["DeliveryItem"][];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        DownloadItem: {
            /** @description The id of the download. */
            id: string;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The title that readers see. */
            title: string;
            /** @description The description for readers; may be empty. */
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL of an image that was entered; may be empty. An uploaded image is shown instead. */
            linked_image: string;
            /** @description The file name that readers get. */
            file: string;
            /** @description The media type of the file, such as `application/pdf`. */
            type: string;
            /** @description The size of the file in bytes. */
            size: number;
            /** @description The SHA-256 of the file, in hexadecimal. */
            sha256: string;
            /**
             * @description The store that holds the file.
             * @enum {string}
             */
            store: "disk" | "s3";
            /** @description When the current file was added, in seconds since 1970. */
            filed: number;
            /** @description When the download was created, in seconds since 1970. */
            created: number;
            /** @description When the download was last changed, in seconds since 1970. */
            modified: number;
            /** @description When the download was published, in seconds since 1970; null if it is not. */
            published: null | number;
        };
        DownloadOrder: {
            /** @description The ids of all files of the resource, in their order. */
            ids: string[];
        };
        EraseDone: {
            /** @description The id of the person, which remains. */
            uid: string;
            /** @description The number of access records that were revoked. */
            revoked: number;
            /** @description The number of references that were removed. */
            references: number;
            /** @description The number of emails whose content was removed. */
            mails: number;
        };
        ExplainedCheck: {
            /** @description The time for which the answer holds, by the environment's clock, in seconds since 1970. */
            now: number;
            /** @description The user_ref of the request; left out if it named the reader by uid or email. */
            user_ref?: string;
            /** @description The email address of the request; left out if it named the reader otherwise. */
            email?: string;
            /** @description The uid of the reader; left out if the request names nobody. */
            uid?: string;
            /** @description The meaning of `code`, as a sentence. */
            meaning: string;
            /** @description The rid of the resource, as in the request. */
            rid: string;
            /** @description Whether the reader may see the resource. */
            granted: boolean;
            /**
             * @description The reason, as in `GET /r2/access/check` of the access API.
             * @enum {string}
             */
            code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown";
            /** @description The sources that give access now or later; empty if access is not granted. */
            sources: components["schemas"]["ExplainedSource"][];
            /** @description The prices at which the reader could buy access; empty if access is granted. */
            offers: components["schemas"]["ExplainedOffer"][];
            /** @description When access ended, in seconds since 1970; left out if access is granted, or never was. */
            since?: number;
            /** @description When access ends, in seconds since 1970; left out if it has no end or is not granted. */
            until?: number;
            /** @description The earliest time at which the answer can change by itself, in seconds since 1970; left out if it can't. */
            next_change?: number;
            /** @description The rid of the pass that the answer is based on; left out if it is not based on a pass. */
            via?: string;
            /** @description The id of the access record that gives access; left out if access is not granted. */
            access_id?: string;
        };
        ExplainedOffer: {
            /** @description The id of the price. */
            price: string;
            /** @description The rid of what is sold: the resource, or a pass that opens it. */
            rid: string;
            /** @description The price, in major units of the currency: 9.99 is 9.99 EUR. */
            amount: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
            /** @description Whether the offer is a subscription. */
            recurring: boolean;
            /** @description The length of the free trial in days; 0 without a trial. */
            trial_days: number;
            /** @description The period that is paid for, such as `1 month`; left out for access with no end date. */
            period?: string;
        };
        ExplainedSource: {
            /**
             * @description The kind of source.
             * @enum {string}
             */
            kind: "grant" | "purchase" | "subscription";
            /** @description The id of the subscription, of the payment of a purchase, or of the access record of a grant. */
            id: string;
            /** @description When the source starts to give access, in seconds since 1970; in the future for a queued period. */
            from: number;
            /** @description When the source stops giving access, in seconds since 1970; left out if it has no end. */
            until?: number;
            /** @description The rid of the pass through which the source gives access; left out if it is of the resource itself. */
            via?: string;
        };
        Figures: {
            /** @description The application's time zone, in which days begin. */
            time_zone: string;
            /** @description The days that the figures cover. */
            range: components["schemas"]["DayRange"];
            /** @description The days before, which the figures are compared with. */
            previous: components["schemas"]["DayRange"];
            /** @description The ISO 4217 code of the currency of all amounts. */
            currency: string;
            /** @description The codes of all currencies in which there were payments, and of the one that is shown. */
            currencies: string[];
            /** @description The revenue in these days. */
            revenue: {
                /** @description The total of all payments, less refunds and lost disputes, in minor units. */
                net: number;
                /** @description `net` of the days before, in minor units. */
                previous_net: number;
                /** @description The number of payments. */
                sales: number;
                /** @description The total of all payments. */
                taken: components["schemas"]["Sum"];
                /** @description The total of all refunds. */
                refunded: components["schemas"]["Sum"];
                /** @description The total lost in disputes. */
                lost: components["schemas"]["Sum"];
            };
            /**
             * @description The length of each entry of `buckets`.
             * @enum {string}
             */
            unit: "day" | "week" | "month";
            /** @description The revenue of each part of the range, oldest first. */
            buckets: {
                /** @description The first day, such as `2027-03-01`, in the application's time zone. */
                first: string;
                /** @description The last day, inclusive, such as `2027-03-31`, in the application's time zone. */
                last: string;
                /** @description Revenue of these days, in minor units. */
                net: number;
            }[];
            /** @description The revenue of each resource, highest first. */
            resources: components["schemas"]["ResourceFigures"][];
            /** @description The number of paid subscriptions, and how it changed. */
            subscribers: {
                /** @description Paid subscriptions at the beginning of the first day. */
                start: components["schemas"]["SubscriptionCount"];
                /** @description Subscriptions that became paid, of readers who never had a paid one to the resource before. */
                new: components["schemas"]["SubscriptionCount"];
                /** @description Subscriptions that became paid, of readers whose earlier paid one to the resource had ended. */
                back: components["schemas"]["SubscriptionCount"];
                /** @description Paid subscriptions that ended in these days. */
                left: components["schemas"]["SubscriptionCount"];
                /** @description Paid subscriptions at the end of the last day. */
                end: components["schemas"]["SubscriptionCount"];
            };
            /** @description The trials of subscriptions in these days. */
            trials: {
                /** @description Trials that are running at the end of the last day. */
                running: components["schemas"]["Count"];
                /** @description Trials that began in these days. */
                started: components["schemas"]["Count"];
                /** @description Trials that became a paid subscription in these days. */
                converted: components["schemas"]["Count"];
                /** @description Trials that ended without a payment in these days. */
                lost: components["schemas"]["Count"];
            };
        };
        GrantPreview: {
            /**
             * @description The effect of the grant. `new`: the person has no access yet. `changed`: only details other than the end change.
             * @enum {string}
             */
            outcome: "new" | "extended" | "shortened" | "changed" | "unchanged";
            /** @description The id of the person; null for a new person. */
            uid: null | string;
            /** @description The end of the access before the grant, in seconds since 1970; null if there is no access yet, or it has no end date. */
            expires_before: null | number;
            /** @description The end of the access after the grant, in seconds since 1970; null for no end date. */
            expires: null | number;
            /**
             * @description Whether the grant sends an email. `none`: it does not. `kept`: it would, but no mail server is configured.
             * @enum {string}
             */
            mail: "queued" | "kept" | "none";
        };
        Hit: {
            /**
             * @description The kind of record.
             * @enum {string}
             */
            kind: "subscription" | "access" | "person" | "resource" | "payment";
            /** @description The id of the record, the uid of a person or the rid of a resource. */
            id: string;
            /** @description The main text of the result. */
            title: string;
            /** @description The text below the title. */
            detail: string;
            /** @description The person's uid, if the result has one. */
            uid: null | string;
        };
        Hits: {
            /** @description The results: at most 10, grouped by kind. */
            data: components["schemas"]["Hit"][];
        };
        LegalLinkUrls: {
            /** @description The URL of the terms and conditions. */
            terms?: string;
            /** @description The URL of the privacy policy. */
            privacy?: string;
            /** @description The URL of the imprint. */
            imprint?: string;
            /** @description The URL of the refund policy. */
            refunds?: string;
        };
        LinksEnded: {
            /** @description The id of the person. */
            uid: string;
            /** @description When the links ended, in seconds since 1970. */
            ended: number;
        };
        ListLink: {
            /**
             * @description The list of the dashboard that shows the records.
             * @enum {string}
             */
            page: "access" | "subscriptions" | "payments" | "mail";
            /** @description The filters with which that list shows these records. */
            query: {
                [key: string]: string;
            };
        };
        ListedDownload: {
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the download. */
            id: string;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The title that readers see. */
            title: string;
            /** @description The description for readers; may be empty. */
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL of an image that was entered; may be empty. An uploaded image is shown instead. */
            linked_image: string;
            /** @description The file name that readers get. */
            file: string;
            /** @description The media type of the file, such as `application/pdf`. */
            type: string;
            /** @description The size of the file in bytes. */
            size: number;
            /** @description The SHA-256 of the file, in hexadecimal. */
            sha256: string;
            /**
             * @description The store that holds the file.
             * @enum {string}
             */
            store: "disk" | "s3";
            /** @description When the current file was added, in seconds since 1970. */
            filed: number;
            /** @description When the download was created, in seconds since 1970. */
            created: number;
            /** @description When the download was last changed, in seconds since 1970. */
            modified: number;
            /** @description When the download was published, in seconds since 1970; null if it is not. */
            published: null | number;
        };
        ListedDownloadPage: {
            /** @description The records of this page. */
            data: components["schemas"]["ListedDownload"][];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        ListedMail: {
            /** @description The person's first and last name; may be empty. */
            name: string;
            /** @description The id of the email. */
            id: string;
            /** @description The id of the person. */
            uid: string;
            /**
             * @description The kind of email.
             * @enum {string}
             */
            kind: "canceled" | "refunded" | "grant" | "receipt" | "payment_failed" | "trial_ends" | "address_changed";
            /** @description The address that the email was made for; empty if the person was erased. */
            to: string;
            /** @description The address that the email goes to if it is resent: the one that the person has now. Empty if the person was erased. */
            resend_to: string;
            /**
             * @description The state of the email. `kept`: not sent, because no mail server was set. `dead`: failed.
             * @enum {string}
             */
            status: "sent" | "dead" | "kept" | "waiting";
            /** @description The number of attempts to send the email. */
            attempts: number;
            /** @description When the email was created, in milliseconds since 1970. */
            created_at: number;
            /** @description When the next attempt is made, in milliseconds since 1970; null unless the email is waiting. */
            due_at: null | number;
            /** @description When the email was sent, in milliseconds since 1970; null if it was not sent. */
            sent_at: null | number;
            /** @description The error of the last attempt to send the email; null if it had none. */
            last_error: null | string;
        };
        ListedMailPage: {
            /** @description The records of this page. */
            data: components["schemas"]["ListedMail"][];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        MailContent: {
            /** @description The headers of the email, such as From and To, in their order. */
            headers: {
                /** @description The name of the header. */
                name: string;
                /** @description The value of the header. */
                value: string;
            }[];
            /** @description The subject line. */
            subject: string;
            /** @description The body as plain text. */
            text: string;
            /** @description The body as HTML. */
            html: string;
        };
        MailDetails: {
            /** @description The email as the person gets it; null if it can no longer be built. */
            content: null | components["schemas"]["MailContent"];
            /** @description Why the email can't be built; null if it can. */
            problem: null | string;
            /** @description The id of the email. */
            id: string;
            /** @description The id of the person. */
            uid: string;
            /**
             * @description The kind of email.
             * @enum {string}
             */
            kind: "canceled" | "refunded" | "grant" | "receipt" | "payment_failed" | "trial_ends" | "address_changed";
            /** @description The address that the email was made for; empty if the person was erased. */
            to: string;
            /** @description The address that the email goes to if it is resent: the one that the person has now. Empty if the person was erased. */
            resend_to: string;
            /**
             * @description The state of the email. `kept`: not sent, because no mail server was set. `dead`: failed.
             * @enum {string}
             */
            status: "sent" | "dead" | "kept" | "waiting";
            /** @description The number of attempts to send the email. */
            attempts: number;
            /** @description When the email was created, in milliseconds since 1970. */
            created_at: number;
            /** @description When the next attempt is made, in milliseconds since 1970; null unless the email is waiting. */
            due_at: null | number;
            /** @description When the email was sent, in milliseconds since 1970; null if it was not sent. */
            sent_at: null | number;
            /** @description The error of the last attempt to send the email; null if it had none. */
            last_error: null | string;
        };
        MailItem: {
            /** @description The id of the email. */
            id: string;
            /** @description The id of the person. */
            uid: string;
            /**
             * @description The kind of email.
             * @enum {string}
             */
            kind: "canceled" | "refunded" | "grant" | "receipt" | "payment_failed" | "trial_ends" | "address_changed";
            /** @description The address that the email was made for; empty if the person was erased. */
            to: string;
            /** @description The address that the email goes to if it is resent: the one that the person has now. Empty if the person was erased. */
            resend_to: string;
            /**
             * @description The state of the email. `kept`: not sent, because no mail server was set. `dead`: failed.
             * @enum {string}
             */
            status: "sent" | "dead" | "kept" | "waiting";
            /** @description The number of attempts to send the email. */
            attempts: number;
            /** @description When the email was created, in milliseconds since 1970. */
            created_at: number;
            /** @description When the next attempt is made, in milliseconds since 1970; null unless the email is waiting. */
            due_at: null | number;
            /** @description When the email was sent, in milliseconds since 1970; null if it was not sent. */
            sent_at: null | number;
            /** @description The error of the last attempt to send the email; null if it had none. */
            last_error: null | string;
        };
        MergeDone: {
            /** @description The id of the person who was merged. */
            from: string;
            /** @description The id of the person who remains. */
            into: string;
            /** @description The number of references that were moved. */
            references: number;
            /** @description The number of access records that only the merged person had, and that were moved. */
            moved: number;
            /** @description The number of resources for which both had an access record, and now have one. */
            joined: number;
        };
        Money: {
            /** @description The amount, in minor units of the currency, such as cents. */
            amount: number;
            /** @description ISO 4217 code of the currency, such as `EUR`. */
            currency: string;
        };
        NewDownloadLink: {
            /** @description The URL from which the file can be downloaded, by anybody who has it. */
            url: string;
            /** @description When the link expires, in seconds since 1970. */
            expires: number;
        };
        NewManageLink: {
            /** @description The URL of the page where the reader changes the card, cancels or resumes. */
            url: string;
            /** @description When the link expires, in seconds since 1970. */
            expires: number;
        };
        NoteItem: {
            /** @description The id of the note. */
            id: string;
            /** @description The text of the note: plain text with line breaks. */
            text: string;
            /** @description The author of the note, such as `staff:ID`. */
            actor: string;
            /** @description When the note was written, in seconds since 1970. */
            created: number;
            /** @description When the note was last changed, in seconds since 1970; null if it never was. */
            changed: null | number;
            /** @description The last actor to change the note, such as `staff:ID`; null if it was never changed. */
            changed_by: null | string;
        };
        OpensEffect: {
            /** @description The number of readers who have the pass, and at least one of these resources only through it. */
            readers: number;
            /** @description The rids of single resources, which need not exist yet. */
            rids: string[];
            /** @description Prefixes of rids. `*` is an ordinary character. */
            prefixes: string[];
            /** @description Whether it opens everything in its application. */
            all: boolean;
        };
        OpensPreview: {
            /** @description The number of readers who have the pass now. */
            holders: number;
            /** @description The resources that readers would gain, and how many readers would gain something. */
            gained: components["schemas"]["OpensEffect"];
            /** @description The resources that readers would lose, and how many readers would lose something. */
            lost: components["schemas"]["OpensEffect"];
        };
        PaymentDetails: {
            /** @description The amount that can still be refunded. */
            refundable: components["schemas"]["Money"];
            /** @description The id of the payment. */
            id: string;
            /** @description The id of the access record that the payment pays for; null if it grants none. */
            access_id: null | string;
            /** @description The id of the subscription that the payment belongs to; null for a single purchase. */
            subscription_id: null | string;
            /** @description The amount charged. */
            money: components["schemas"]["Money"];
            /** @description The amount that was refunded so far. */
            refunded: components["schemas"]["Money"];
            /** @description The amount that lost disputes took so far. */
            lost: components["schemas"]["Money"];
            /** @description The amount that undecided disputes are about. */
            disputed: components["schemas"]["Money"];
            /** @description Whether the payment can be refunded although it is in dispute, as during an inquiry of a bank. */
            refundable_in_dispute: boolean;
            /**
             * @description The state of the payment. `lost`: a dispute was lost, and nothing of the payment is left.
             * @enum {string}
             */
            status: "refunded" | "pending" | "succeeded" | "failed" | "partially_refunded" | "disputed" | "lost";
            /** @description Why the payment needs attention; null if it does not. */
            flag: ("late" | "duplicate" | "mismatch") | null;
            /** @description Why the payment failed, such as `declined`; null if it did not. */
            failure: null | string;
            /** @description When the payment was begun, in seconds since 1970. */
            created: number;
            /** @description When the provider answered, in seconds since 1970; null while the payment is pending. */
            settled: null | number;
            /** @description Why the provider has not settled it yet, in its own words or ours; null if there is nothing to say. */
            last_error: null | string;
            /** @description When the provider is asked again, in seconds since 1970; null once it is settled. */
            next_attempt: null | number;
            /** @description When the period that was paid for begins, in seconds since 1970; null for a payment without a period. */
            period_start: null | number;
            /** @description When the period that was paid for ends, in seconds since 1970; null for a payment without a period. */
            period_end: null | number;
            /** @description The payment provider, such as `stripe`. */
            provider: string;
            /** @description The provider's id of the payment; null if there is none. */
            provider_ref: null | string;
            /** @description All refunds of the payment, oldest first. */
            refunds: components["schemas"]["RefundItem"][];
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The person's verified email address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description The person's first and last name; may be empty. */
            name: string;
        };
        PaymentItem: {
            /** @description The id of the payment. */
            id: string;
            /** @description The id of the access record that the payment pays for; null if it grants none. */
            access_id: null | string;
            /** @description The id of the subscription that the payment belongs to; null for a single purchase. */
            subscription_id: null | string;
            /** @description The amount charged. */
            money: components["schemas"]["Money"];
            /** @description The amount that was refunded so far. */
            refunded: components["schemas"]["Money"];
            /** @description The amount that lost disputes took so far. */
            lost: components["schemas"]["Money"];
            /** @description The amount that undecided disputes are about. */
            disputed: components["schemas"]["Money"];
            /** @description Whether the payment can be refunded although it is in dispute, as during an inquiry of a bank. */
            refundable_in_dispute: boolean;
            /**
             * @description The state of the payment. `lost`: a dispute was lost, and nothing of the payment is left.
             * @enum {string}
             */
            status: "refunded" | "pending" | "succeeded" | "failed" | "partially_refunded" | "disputed" | "lost";
            /** @description Why the payment needs attention; null if it does not. */
            flag: ("late" | "duplicate" | "mismatch") | null;
            /** @description Why the payment failed, such as `declined`; null if it did not. */
            failure: null | string;
            /** @description When the payment was begun, in seconds since 1970. */
            created: number;
            /** @description When the provider answered, in seconds since 1970; null while the payment is pending. */
            settled: null | number;
            /** @description Why the provider has not settled it yet, in its own words or ours; null if there is nothing to say. */
            last_error: null | string;
            /** @description When the provider is asked again, in seconds since 1970; null once it is settled. */
            next_attempt: null | number;
            /** @description When the period that was paid for begins, in seconds since 1970; null for a payment without a period. */
            period_start: null | number;
            /** @description When the period that was paid for ends, in seconds since 1970; null for a payment without a period. */
            period_end: null | number;
            /** @description The payment provider, such as `stripe`. */
            provider: string;
            /** @description The provider's id of the payment; null if there is none. */
            provider_ref: null | string;
            /** @description All refunds of the payment, oldest first. */
            refunds: components["schemas"]["RefundItem"][];
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The person's verified email address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description The person's first and last name; may be empty. */
            name: string;
        };
        PaymentItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["PaymentItem"][];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        PeoplePage: {
            /** @description The records of this page. */
            data: {
                /** @description The id of the person. */
                uid: string;
                /** @description The person's verified email address; empty if none is verified, or the person was erased. */
                email: string;
                /** @description The unverified email address that was typed at a checkout: emails are sent to it, but it identifies nobody. May be empty. */
                contact_email: string;
                /** @description The person's first name; may be empty. */
                first_name: string;
                /** @description The person's last name; may be empty. */
                last_name: string;
                /** @description When the person was first seen, in seconds since 1970. */
                created: number;
                /** @description When the person was erased, in seconds since 1970; null if not. */
                erased: null | number;
                /** @description The number of live access records that the person has. */
                live: number;
            }[];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        PersonDetails: {
            /** @description The person, with all IDs. */
            person: {
                /** @description The id of the person. */
                uid: string;
                /** @description The person's verified email address; empty if none is verified, or the person was erased. */
                email: string;
                /** @description The unverified email address that was typed at a checkout: emails are sent to it, but it identifies nobody. May be empty. */
                contact_email: string;
                /** @description The person's first name; may be empty. */
                first_name: string;
                /** @description The person's last name; may be empty. */
                last_name: string;
                /** @description When the person was first seen, in seconds since 1970. */
                created: number;
                /** @description When the person was erased, in seconds since 1970; null if not. */
                erased: null | number;
                /** @description Your site's user_refs for the person. */
                refs: string[];
                /** @description The uids and user_refs of users merged into this one, which now refer to this user. */
                aliases: string[];
                /** @description The email addresses of users merged into this one, which now refer to this user. */
                former_addresses: string[];
                /** @description The uid of the user this one was merged into; null if it was not merged. */
                merged_into: null | string;
            };
            /** @description The resources that the person can or cannot read, each with the reason. */
            reading: components["schemas"]["Reading"][];
            /** @description All access records, including expired and revoked ones. */
            access: components["schemas"]["AccessDetails"][];
            /** @description The person's subscriptions, including ended ones; at most 200. */
            subscriptions: components["schemas"]["SubscriptionItem"][];
            /** @description The person's newest 200 payments; the list of payments has the rest. */
            payments: components["schemas"]["PaymentItem"][];
            /** @description The emails to the person. */
            mails: components["schemas"]["PersonMail"][];
            /** @description The files that the person downloaded. */
            downloads: components["schemas"]["PersonDownload"][];
            /** @description The notes of staff about the person, newest first. */
            notes: components["schemas"]["NoteItem"][];
            /** @description The refused checks of the last 30 days, latest first. */
            refused_checks: components["schemas"]["RefusedCheckItem"][];
        };
        PersonDownload: {
            /** @description The id of the delivery. */
            id: string;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description When the download began, in seconds since 1970. */
            at: number;
            /** @description The number of HTTP responses that are counted as this delivery. */
            answers: number;
            /** @description The number of bytes that were sent. */
            bytes: number;
            /**
             * @description The outcome of the delivery. `redirected`: another server delivers the file, and only it knows the outcome.
             * @enum {string}
             */
            outcome: "complete" | "partial" | "redirected";
        };
        PersonMail: {
            /** @description The id of the email. */
            id: string;
            /** @description The kind of email. */
            kind: string;
            /** @description The name of the resource that the email is about; empty if it is about none. */
            resource: string;
            /** @description The address that the email was made for. */
            to: string;
            /** @description The address that the email goes to if it is resent: the one that the person has now. */
            resend_to: string;
            /**
             * @description The state of the email. `kept`: not sent, because no mail server was set. `dead`: failed.
             * @enum {string}
             */
            status: "queued" | "sending" | "sent" | "dead" | "kept";
            /** @description When the email was created, in milliseconds since 1970. */
            created_at: number;
            /** @description When the email was sent, in milliseconds since 1970; null if it was not sent. */
            sent_at: null | number;
            /** @description The error of the last attempt to send the email; null if it had none. */
            last_error: null | string;
        };
        PriceItem: {
            /** @description The id of the price. */
            id: string;
            /** @description The amount charged. */
            amount: components["schemas"]["Money"];
            /** @description Whether the price is charged every period until canceled. */
            recurring: boolean;
            /** @description The period that is paid for, such as `1 month`; null for lifetime access. */
            period: null | string;
            /** @description The length of the free trial in days; 0 without a trial. */
            trial_days: number;
            /** @description The terms in one line: `4.99 EUR every month`. */
            terms: string;
            /** @description When the price was created, in seconds since 1970. */
            created: number;
            /** @description When the price was archived, in seconds since 1970; null while it can be bought. */
            archived: null | number;
        };
        Reading: {
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource_name: string;
            /** @description Whether the person can read the resource now. */
            access: boolean;
            /**
             * @description The reason, as in `GET /r2/access/check` of the access API.
             * @enum {string}
             */
            code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown" | "application_archived";
            /** @description The rid of the pass that the decision is based on; null if it is not based on a pass. */
            via: null | string;
            /** @description The name of the pass that the decision is based on; null if it is not based on a pass. */
            pass_name: null | string;
            /** @description When access ended, in seconds since 1970; null if access is granted, or never was. */
            since: null | number;
            /** @description When the access record behind the decision ends, in seconds since 1970; null if it has no end date, or there is no record. */
            expires: null | number;
        };
        RefundItem: {
            /** @description The id of the refund. */
            id: string;
            /** @description The id of the payment that is refunded. */
            payment_id: string;
            /** @description The amount that is paid back. */
            money: components["schemas"]["Money"];
            /**
             * @description The state of the refund. `pending`: the provider has not answered yet.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /** @description Why the refund failed, or why it was made automatically; null for other refunds. */
            reason: null | string;
            /** @description Your own name for the refund; null if none was given. */
            reference: null | string;
            /** @description The actor that ordered the refund, such as `staff:ID` or `api`. */
            actor: string;
            /** @description When the refund was ordered, in seconds since 1970. */
            created: number;
            /** @description When the provider answered, in seconds since 1970; null while the refund is pending. */
            settled: null | number;
            /** @description Why the provider has not settled it yet, in its own words or ours; null if there is nothing to say. */
            last_error: null | string;
            /** @description When the provider is asked again, in seconds since 1970; null once it is settled. */
            next_attempt: null | number;
        };
        RefusedCallItem: {
            /** @description In milliseconds since 1970. */
            at: number;
            /** @description The id of the entry. */
            id: string;
            /** @description The HTTP method. */
            method: string;
            /** @description The route pattern, such as `/r2/user/:user_ref`. */
            route: string;
            /** @description The HTTP status of the answer. */
            status: number;
            /** @description The error code or, if the signature was refused, what was wrong with it. */
            reason: string;
            /** @description The parameter that was wrong; null if it was none. */
            parameter: null | string;
            /** @description The key that signed the request; null if none did. */
            key_id: null | string;
        };
        RefusedCallItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["RefusedCallItem"][];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        RefusedCheckItem: {
            /** @description The rid that was asked for. */
            rid: string;
            /** @description The name of the resource; empty if there is no such resource. */
            resource_name: string;
            /**
             * @description Why access was refused.
             * @enum {string}
             */
            code: "never_granted" | "expired" | "revoked" | "no_resource";
            /** @description When the access ended or was revoked, in seconds since 1970; null if there never was any. */
            since: null | number;
            /** @description The name of the pass through which there had been access; null if there is none. */
            via_name: null | string;
            /** @description When the check was first refused, in seconds since 1970. */
            first_at: number;
            /** @description When the check was last refused, in seconds since 1970. */
            last_at: number;
            /** @description The number of times that the check was refused. */
            times: number;
        };
        RemovedDownload: {
            /** @description Always true: the download is removed, and its links have stopped working. */
            removed: boolean;
        };
        ResentMails: {
            /** @description The number of emails that are sent again. */
            queued: number;
        };
        ResourceDetails: {
            /** @description The resources that this one opens for readers who have it. */
            opens: components["schemas"]["ResourceOpens"];
            /** @description The resources that open this one, sorted by name. */
            opened_by: {
                /** @description The id of the resource. */
                rid: string;
                /** @description The name of the resource. */
                name: string;
            }[];
            /** @description All prices of the resource, including archived ones. */
            all_prices: components["schemas"]["PriceItem"][];
            /** @description The URL of the page where the resource can be bought. */
            checkout_url: string;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name that readers see. */
            name: string;
            /** @description The URL of the resource's page on your site; may be empty. */
            url: string;
            /** @description The description for readers; may be empty. */
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL of an image that was entered; may be empty. An uploaded image is shown instead. */
            linked_image: string;
            /** @description When the resource was created, in seconds since 1970. */
            created: number;
            /** @description When the resource was archived, in seconds since 1970; null while it is in use. */
            archived: null | number;
            /** @description The number of live access records of the resource. */
            live: number;
            /** @description The prices that can be bought now. */
            prices: components["schemas"]["PriceItem"][];
            /** @description The files of the resource, in the order that readers see. */
            files: components["schemas"]["ResourceFile"][];
        };
        ResourceFigures: {
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            name: string;
            /** @description The revenue from the resource, without refunds and lost disputes. */
            net: components["schemas"]["Sum"];
            /** @description The number of payments. */
            sales: number;
        };
        ResourceFile: {
            /** @description The id of the download. */
            id: string;
            /** @description The title that readers see. */
            title: string;
            /** @description The file name that readers get. */
            file_name: string;
            /** @description The size of the file in bytes. */
            size: number;
            /** @description Whether readers can get the file. */
            published: boolean;
        };
        ResourceItem: {
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name that readers see. */
            name: string;
            /** @description The URL of the resource's page on your site; may be empty. */
            url: string;
            /** @description The description for readers; may be empty. */
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL of an image that was entered; may be empty. An uploaded image is shown instead. */
            linked_image: string;
            /** @description When the resource was created, in seconds since 1970. */
            created: number;
            /** @description When the resource was archived, in seconds since 1970; null while it is in use. */
            archived: null | number;
            /** @description The number of live access records of the resource. */
            live: number;
            /** @description The prices that can be bought now. */
            prices: components["schemas"]["PriceItem"][];
            /** @description The files of the resource, in the order that readers see. */
            files: components["schemas"]["ResourceFile"][];
        };
        ResourceItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["ResourceItem"][];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        ResourceOpens: {
            /** @description The rids of single resources that are opened. They need not exist yet. */
            rids: string[];
            /** @description Prefixes of rids: all resources whose rid begins with one of them are opened. */
            prefixes: string[];
            /** @description Whether all resources of the application are opened. */
            all: boolean;
        };
        RevokedCounts: {
            /** @description The access record after the revoke. */
            access: components["schemas"]["AccessItem"];
            /** @description The refunds that were ordered with the revoke. */
            refunds: components["schemas"]["RefundItem"][];
        };
        SettingsView: {
            /** @description The id of the application. */
            aid: string;
            /** @description The name of the application. */
            name: string;
            /** @description ISO 4217 code of the currency of free access, and of prices that name none. */
            currency: string;
            /** @description The sender of the application's emails. */
            mail_from: string;
            /** @description The template of the email about a grant. */
            mail_template: string;
            /** @description The application's own templates, by kind. A missing one is the default. */
            mail_templates: {
                /** @description The template of the email about a canceled subscription. */
                canceled?: string;
                /** @description The template of the email about a refund. */
                refunded?: string;
                /** @description The template of the email about a payment. */
                receipt?: string;
                /** @description The template of the email about a renewal that could not be charged. */
                payment_failed?: string;
                /** @description The template of the email about a trial that ends soon. */
                trial_ends?: string;
                /** @description The template of the email about a changed email address. */
                address_changed?: string;
                /** @description The template of the email about a trial that began. */
                trial_started?: string;
                /** @description The template of the email about a subscription that ended. */
                subscription_ended?: string;
            };
            /** @description The accent color of the application's pages and emails, such as `#1f5f4a`; empty for the built-in color. */
            accent: string;
            /** @description The email address where readers get help. */
            support_email: string;
            /** @description The seller's pages, linked from every page and email. */
            legal_links: components["schemas"]["LegalLinkUrls"];
            /** @description The time zone of dates that readers see. */
            time_zone: string;
            /** @description The URL of the logo; null if there is none. */
            logo: null | string;
            /** @description The seller's name, shown on receipts. */
            seller_name: string;
            /** @description The seller's postal address, shown on receipts. */
            seller_address: string;
            /** @description A line about taxes, such as a VAT number, shown on receipts. */
            tax_line: string;
            /** @description The URLs that buyers may return to, including everything below them. */
            return_urls: string[];
            /** @description The number of days for which access continues while a renewal is unpaid. */
            grace_days: number;
            /** @description Whether API clients must send the parameter `ts` with each write. */
            require_ts: boolean;
            /** @description When the application was created, in seconds since 1970. */
            created: number;
            /** @description When the application was archived, in seconds since 1970; null while it is in use. */
            archived: null | number;
            /** @description The values used for empty settings. */
            defaults: {
                /** @description The sender of the application's emails. */
                mail_from: string;
                /** @description The accent color. */
                accent: string;
                /** @description The template of the email about a grant. */
                mail_template: string;
                /** @description The built-in templates, by kind. */
                mail_templates: components["schemas"]["TemplateTexts"];
                /** @description The name of the application, which receipts show by default. */
                seller_name: string;
            };
            /** @description The public base URL of the environment's pages and API. */
            address: string;
        };
        ShownImage: {
            /** @description The URL of the image; null if there is none. */
            image: null | string;
        };
        SourceItem: {
            /** @description The id of the source. */
            id: string;
            /**
             * @description The kind of source.
             * @enum {string}
             */
            kind: "grant" | "purchase" | "subscription";
            /** @description When the source began, in seconds since 1970. */
            created: number;
            /** @description When a purchased period starts, in seconds since 1970, if later than the purchase; null otherwise. */
            starts: null | number;
            /** @description When the source stops granting access, in seconds since 1970; null for no end date. */
            expires: null | number;
            /** @description When the source stopped granting access before its end, in seconds since 1970; null if it did not. */
            closed: null | number;
            /** @description The payment of a purchase; null for other sources. */
            payment: null | {
                /** @description The id of the payment. */
                id: string;
                /** @description The amount paid. */
                amount: components["schemas"]["Money"];
                /** @description The state of the payment, as in the list of payments. */
                status: string;
            };
            /** @description The subscription that pays for the access; null for other sources. */
            subscription: null | {
                /** @description The id of the subscription. */
                id: string;
                /** @description The state of the subscription, as in the list of subscriptions. */
                status: string;
                /** @description When the paid period ends, in seconds since 1970. */
                current_period_end: number;
            };
        };
        SubscriptionCount: {
            /** @description The monthly value of the subscriptions, in minor units of the currency, such as cents. */
            monthly: number;
            /** @description The number of records. */
            count: number;
            /** @description The list of the dashboard that shows these records. */
            list: components["schemas"]["ListLink"];
        };
        SubscriptionDetails: {
            /** @description The payments of the subscription, newest first. */
            payments: components["schemas"]["PaymentItem"][];
            /** @description The id of the subscription. */
            id: string;
            /** @description The id of the access record that the subscription pays for. */
            access_id: string;
            /** @description Your site's user_ref for the person; the uid if there is none. */
            user_ref: string;
            /**
             * @description The state. `past_due`: the last charge failed, and access continues for the grace period. `canceled`: it ends with the current period.
             * @enum {string}
             */
            status: "canceled" | "trialing" | "active" | "past_due" | "ended";
            /** @description The price of each period. */
            price: components["schemas"]["Money"];
            /** @description The length of each period, such as `1 month`. */
            period: string;
            /** @description When the subscription began, in seconds since 1970. */
            created: number;
            /** @description When the current period began, in seconds since 1970. */
            current_period_start: number;
            /** @description When the current period ends, in seconds since 1970. */
            current_period_end: number;
            /** @description When the access that the subscription grants ends, in seconds since 1970; null for access with no end date. */
            access_ends: null | number;
            /** @description When the trial ends or ended, in seconds since 1970; null if there was none. */
            trial_ends: null | number;
            /** @description When the subscription was canceled, in seconds since 1970; null if it was not. */
            canceled: null | number;
            /** @description When the subscription ended, in seconds since 1970; null if it has not. */
            ended: null | number;
            /** @description When the next step is due, in seconds since 1970; null while a payment is pending, and after the end. */
            next_due: null | number;
            /** @description The step that is due at `next_due`: the email before the end of the trial, the renewal, or the end. */
            next_step: ("trial_notice" | "renew" | "end") | null;
            /** @description The number of failed charges for the upcoming period. */
            tries: number;
            /** @description The payment provider, such as `stripe`. */
            provider: string;
            /** @description Whether a card is stored that the next period can be charged to. */
            has_card: boolean;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The person's verified email address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description The person's first and last name; may be empty. */
            name: string;
        };
        SubscriptionItem: {
            /** @description The id of the subscription. */
            id: string;
            /** @description The id of the access record that the subscription pays for. */
            access_id: string;
            /** @description Your site's user_ref for the person; the uid if there is none. */
            user_ref: string;
            /**
             * @description The state. `past_due`: the last charge failed, and access continues for the grace period. `canceled`: it ends with the current period.
             * @enum {string}
             */
            status: "canceled" | "trialing" | "active" | "past_due" | "ended";
            /** @description The price of each period. */
            price: components["schemas"]["Money"];
            /** @description The length of each period, such as `1 month`. */
            period: string;
            /** @description When the subscription began, in seconds since 1970. */
            created: number;
            /** @description When the current period began, in seconds since 1970. */
            current_period_start: number;
            /** @description When the current period ends, in seconds since 1970. */
            current_period_end: number;
            /** @description When the access that the subscription grants ends, in seconds since 1970; null for access with no end date. */
            access_ends: null | number;
            /** @description When the trial ends or ended, in seconds since 1970; null if there was none. */
            trial_ends: null | number;
            /** @description When the subscription was canceled, in seconds since 1970; null if it was not. */
            canceled: null | number;
            /** @description When the subscription ended, in seconds since 1970; null if it has not. */
            ended: null | number;
            /** @description When the next step is due, in seconds since 1970; null while a payment is pending, and after the end. */
            next_due: null | number;
            /** @description The step that is due at `next_due`: the email before the end of the trial, the renewal, or the end. */
            next_step: ("trial_notice" | "renew" | "end") | null;
            /** @description The number of failed charges for the upcoming period. */
            tries: number;
            /** @description The payment provider, such as `stripe`. */
            provider: string;
            /** @description Whether a card is stored that the next period can be charged to. */
            has_card: boolean;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The person's verified email address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description The person's first and last name; may be empty. */
            name: string;
        };
        SubscriptionItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["SubscriptionItem"][];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        Sum: {
            /** @description The sum, in minor units of the currency, such as cents. */
            amount: number;
            /** @description The list of the dashboard that shows the payments behind the sum. */
            list: components["schemas"]["ListLink"];
        };
        TemplateTexts: {
            /** @description The template of the email about a grant of access. */
            grant: string;
            /** @description The template of the email about a payment. */
            receipt: string;
            /** @description The template of the email about a trial that began. */
            trial_started: string;
            /** @description The template of the email about a trial that ends soon. */
            trial_ends: string;
            /** @description The template of the email about a renewal that could not be charged. */
            payment_failed: string;
            /** @description The template of the email about a subscription that ended. */
            subscription_ended: string;
            /** @description The template of the email about a canceled subscription. */
            canceled: string;
            /** @description The template of the email about a refund. */
            refunded: string;
            /** @description The template of the email about a changed email address. */
            address_changed: string;
        };
        TimelineItem: {
            /** @description When the event happened, in seconds since 1970. */
            at: number;
            /**
             * @description The kind of event.
             * @enum {string}
             */
            kind: "expired" | "download" | "mail" | "payment" | "change" | "refund";
            /** @description The action of a change, or the status or outcome of another kind of event; a code for programs. */
            what: string;
            /** @description The id of the resource, as your site names it; null if the event is about none. */
            rid: null | string;
            /** @description The id of the access record; null if the event is about none. */
            access_id: null | string;
            /** @description The id of the payment; null if the event is about none. */
            payment_id: null | string;
            /** @description The id of the email; null if the event is about none. */
            mail_id: null | string;
            /** @description The name of the resource that an email is about; null for other kinds of events. */
            about: null | string;
            /** @description The actor of the event, such as `staff:ID`; null if there is none, as for an expiry. */
            actor: null | string;
            /** @description The amount of money; null if the event is not about money. */
            money: null | components["schemas"]["Money"];
            /** @description The end of the access before a change, in seconds since 1970; null if there is none. */
            expires_before: null | number;
            /** @description The end of the access after a change, in seconds since 1970; null if there is none. */
            expires: null | number;
            /** @description The parts of a refund, oldest first. */
            steps: components["schemas"]["TimelineItem"][];
        };
        TimelineItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["TimelineItem"][];
            /** @description The number of records that match, on all pages. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description The number of records that a page can have. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
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
                /** @description ID of the request, to quote when you ask the operator for help. */
                request_id: string;
            };
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
    getFigures: {
        parameters: {
            query?: {
                /** @description The range of days, by name; the last 30 days by default. Not used together with `first` and `last`. */
                range?: "7d" | "30d" | "90d" | "month" | "last_month" | "quarter" | "year";
                /** @description The first day, such as `2027-03-28`, in the application's time zone. */
                first?: string;
                /** @description The last day, inclusive, such as `2027-03-31`, in the application's time zone. */
                last?: string;
                /** @description The currency of the figures; by default the application's, or another if there is money in that one alone. */
                currency?: string;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Figures"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAccess: {
        parameters: {
            query?: {
                /** @description Only records of this resource. */
                rid?: string;
                /** @description Only records with this tag. */
                tag?: string;
                /** @description Only records of the person with this address. */
                email?: string;
                /** @description Only records of the person with this reference. */
                user_ref?: string;
                /** @description Only records of this person. */
                uid?: string;
                /** @description Whether expired records are included, as in the state `unrevoked`. */
                show_expired?: boolean;
                /** @description Only records in this state; live ones by default. */
                state?: "live" | "ending" | "renewing" | "expired" | "unrevoked" | "revoked" | "any";
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "ends" | "-ends" | "name" | "-name";
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
                /** @description Only records granted, or in the state `revoked` revoked, since this time, in seconds. */
                from?: number;
                /** @description Only records granted, or in the state `revoked` revoked, before this time, in seconds. */
                to?: number;
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessItemPage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
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
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of the resource, as your site names it. */
                    rid: string;
                    /** @description The reader's email address. */
                    email: string;
                    /** @description Your site's user_ref for the reader. */
                    user_ref?: string;
                    /** @description When access ends, in seconds since 1970; null for no end date. */
                    expires?: number | null;
                    /** @description A personal message in the email. */
                    message?: string;
                    /** @description The reader's first name. */
                    first_name?: string;
                    /** @description The reader's last name. */
                    last_name?: string;
                    /** @description Comma-separated. If omitted, existing tags stay. */
                    tags?: string;
                    /** @description Whether the reader gets an email; true by default. */
                    notify?: boolean;
                    /** @description Whether to return a preview instead of granting; false by default. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantPreview"] | components["schemas"]["AccessItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
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
                /** @description The reader by the user_ref of your site. Exactly one of `user_ref`, `uid` and `email` is needed. */
                user_ref?: string;
                /** @description The reader by the uid, whatever references the reader has. */
                uid?: string;
                /** @description The reader by the email address. */
                email?: string;
                /** @description The id of the resource, as your site names it. */
                rid: string;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainedCheck"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAccess: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportAccess: {
        parameters: {
            query?: {
                /** @description Only records of this resource. */
                rid?: string;
                /** @description Only records with this tag. */
                tag?: string;
                /** @description Only records of the person with this address. */
                email?: string;
                /** @description Only records of the person with this reference. */
                user_ref?: string;
                /** @description Only records of this person. */
                uid?: string;
                /** @description Whether expired records are included, as in the state `unrevoked`. */
                show_expired?: boolean;
                /** @description Only records in this state; live ones by default. */
                state?: "live" | "ending" | "renewing" | "expired" | "unrevoked" | "revoked" | "any";
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "ends" | "-ends" | "name" | "-name";
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
                /** @description Only records granted, or in the state `revoked` revoked, since this time, in seconds. */
                from?: number;
                /** @description Only records granted, or in the state `revoked` revoked, before this time, in seconds. */
                to?: number;
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
                /** @description `people`: the records of the filters, with names and readable dates. `raw`: all that are not revoked, in exact values, without filters. `spreadsheet`, the default: the same, made safe for spreadsheets. */
                form?: "people" | "raw" | "spreadsheet";
                /** @description The character between the columns of the file. */
                delimiter?: "comma" | "semicolon";
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    extendAccess: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description When access ends, in seconds since 1970; null for no end date. */
                    expires: number | null;
                    /** @description A personal message in the email. */
                    message?: string;
                    /** @description Whether the reader gets an email; false by default. */
                    notify?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccessItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
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
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether payments for the access are refunded, where possible; false by default. */
                    refund?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedCounts"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "name" | "-name" | "created" | "-created";
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeoplePage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportUsers: {
        parameters: {
            query?: {
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "name" | "-name" | "created" | "-created";
                /** @description The character between the columns of the file. */
                delimiter?: "comma" | "semicolon";
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
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
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The new email address. */
                    email?: string;
                    /** @description The person's first name; empty removes it. */
                    first_name?: string;
                    /** @description The person's last name; empty removes it. */
                    last_name?: string;
                    /** @description Whether the old and the new address get an email; true by default. */
                    notify?: boolean;
                    /** @description Whether the old address never belonged to the person, as after a typo. All links in emails so far then end, and unsent emails go to the new address. Only together with email; false by default. */
                    never_theirs?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTimeline: {
        parameters: {
            query?: {
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineItemPage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addReference: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Your site's user_ref for the person. */
                    ref: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endLinks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinksEnded"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mergeUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The uid of the person who remains. */
                    into: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MergeDone"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EraseDone"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The text of the note: plain text with line breaks. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteItem"][];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteItem"][];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateNote: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the person. */
                uid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The text of the note: plain text with line breaks. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteItem"][];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description The text to search for: an email address, a reference, a uid, a name, a rid or an id, or its beginning. */
                q: string;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hits"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listResources: {
        parameters: {
            query?: {
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
                /** @description Whether archived resources are listed instead of those in use. */
                archived?: boolean;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "name" | "-name" | "created" | "-created";
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceItemPage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createResource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name that readers see. */
                    name: string;
                    /** @description The URL of the resource's page on your site; empty for none. */
                    url?: string;
                    /** @description The description of the resource for readers; empty for none. */
                    description?: string;
                    /** @description The URL of an image; empty for none. An uploaded image is shown instead. */
                    image?: string;
                    /** @description The id of the resource, as your site names it. It never changes. */
                    rid: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateResource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name that readers see. */
                    name?: string;
                    /** @description The URL of the resource's page on your site; empty for none. */
                    url?: string;
                    /** @description The description of the resource for readers; empty for none. */
                    description?: string;
                    /** @description The URL of an image; empty for none. An uploaded image is shown instead. */
                    image?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setOpens: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The rids of single resources that the resource opens. They need not exist yet. */
                    rids: string[];
                    /** @description The resource opens all resources whose rid begins with one of these texts. `*` is an ordinary character. */
                    prefixes: string[];
                    /** @description Whether the resource opens all resources of the application. */
                    all: boolean;
                    /** @description Whether to return how many readers would gain and lose access, and change nothing. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceDetails"] | components["schemas"]["OpensPreview"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    archiveResource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreResource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResourceDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPrice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The price, in minor units of the currency, such as cents. */
                    amount: number;
                    /** @description ISO 4217 code of the currency; the application's currency by default. */
                    currency?: string;
                    /** @description Whether the price is charged every period until canceled; false by default. */
                    recurring?: boolean;
                    /** @description The period that is paid for, such as `1 month`; null or omitted for lifetime access. */
                    period?: string | null;
                    /** @description Length of the free trial of a subscription in days; 0 by default. */
                    trial_days?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    archivePrice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
                /** @description The id of the price. */
                price: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restorePrice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
                /** @description The id of the price. */
                price: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "ends" | "-ends" | "amount" | "-amount" | "name" | "-name";
                /** @description Only subscriptions in this state. */
                status?: "trialing" | "active" | "past_due" | "canceled" | "ended";
                /** @description Only records of this resource. */
                rid?: string;
                /** @description Only records of this person. */
                uid?: string;
                /** @description Only subscriptions with this movement on the given days. `paid` and `in_trial` are states at the end of the last day. */
                moved?: "paid" | "new" | "back" | "left" | "in_trial" | "trial_started" | "trial_converted" | "trial_lost";
                /** @description The first day, such as `2027-03-28`, in the application's time zone. */
                first?: string;
                /** @description The last day, inclusive, such as `2027-03-31`, in the application's time zone. */
                last?: string;
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionItemPage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportSubscriptions: {
        parameters: {
            query?: {
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "ends" | "-ends" | "amount" | "-amount" | "name" | "-name";
                /** @description Only subscriptions in this state. */
                status?: "trialing" | "active" | "past_due" | "canceled" | "ended";
                /** @description Only records of this resource. */
                rid?: string;
                /** @description Only records of this person. */
                uid?: string;
                /** @description Only subscriptions with this movement on the given days. `paid` and `in_trial` are states at the end of the last day. */
                moved?: "paid" | "new" | "back" | "left" | "in_trial" | "trial_started" | "trial_converted" | "trial_lost";
                /** @description The first day, such as `2027-03-28`, in the application's time zone. */
                first?: string;
                /** @description The last day, inclusive, such as `2027-03-31`, in the application's time zone. */
                last?: string;
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
                /** @description The character between the columns of the file. */
                delimiter?: "comma" | "semicolon";
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
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
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
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
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createManageLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewManageLink"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "amount" | "-amount" | "name" | "-name";
                /** @description State of the payment. `disputed`: a dispute, a question of a bank or an appeal is undecided. `lost`: a dispute was lost and nothing of the payment is left. */
                status?: "pending" | "succeeded" | "failed" | "partially_refunded" | "refunded" | "disputed" | "lost";
                /** @description Only payments that need attention for this reason; `any` finds all of them. */
                flag?: "any" | "late" | "duplicate" | "mismatch";
                /** @description Only records of this resource. */
                rid?: string;
                /** @description Only records of this person. */
                uid?: string;
                /** @description Only records since this time, in seconds since 1970. */
                from?: number;
                /** @description Only records before this time, in seconds since 1970. */
                to?: number;
                /** @description Finds payments whose money was taken, refunded or lost in a dispute on the given days. */
                money?: "taken" | "refunded" | "lost";
                /** @description The first day, such as `2027-03-28`, in the application's time zone. */
                first?: string;
                /** @description The last day, inclusive, such as `2027-03-31`, in the application's time zone. */
                last?: string;
                /** @description Only payments in this currency. */
                currency?: string;
                /** @description Finds payments of exactly this amount in minor units and this currency, such as `390-EUR`. */
                price?: string;
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentItemPage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportPayments: {
        parameters: {
            query?: {
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "amount" | "-amount" | "name" | "-name";
                /** @description State of the payment. `disputed`: a dispute, a question of a bank or an appeal is undecided. `lost`: a dispute was lost and nothing of the payment is left. */
                status?: "pending" | "succeeded" | "failed" | "partially_refunded" | "refunded" | "disputed" | "lost";
                /** @description Only payments that need attention for this reason; `any` finds all of them. */
                flag?: "any" | "late" | "duplicate" | "mismatch";
                /** @description Only records of this resource. */
                rid?: string;
                /** @description Only records of this person. */
                uid?: string;
                /** @description Only records since this time, in seconds since 1970. */
                from?: number;
                /** @description Only records before this time, in seconds since 1970. */
                to?: number;
                /** @description Finds payments whose money was taken, refunded or lost in a dispute on the given days. */
                money?: "taken" | "refunded" | "lost";
                /** @description The first day, such as `2027-03-28`, in the application's time zone. */
                first?: string;
                /** @description The last day, inclusive, such as `2027-03-31`, in the application's time zone. */
                last?: string;
                /** @description Only payments in this currency. */
                currency?: string;
                /** @description Finds payments of exactly this amount in minor units and this currency, such as `390-EUR`. */
                price?: string;
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
                /** @description The character between the columns of the file. */
                delimiter?: "comma" | "semicolon";
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
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
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The amount to refund, in minor units of the currency, such as cents; by default all that is left. */
                    amount?: number;
                    /** @description Your own name for the refund: a repeated request with the same name refunds once. */
                    reference?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDownloads: {
        parameters: {
            query?: {
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
                /** @description `true`: only published downloads. `false`: only unpublished ones. */
                published?: boolean;
                /** @description Only records of this resource. */
                rid?: string;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "title" | "-title" | "size" | "-size" | "modified" | "-modified";
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedDownloadPage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
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
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedDownload"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeDownload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedDownload"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateDownload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The title that readers see. */
                    title?: string;
                    /** @description The description for readers; empty for none. */
                    description?: string;
                    /** @description The URL of an image; empty for none. */
                    image?: string;
                    /** @description Whether readers can get the file. */
                    published?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    orderDownloads: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The ids of all files of the resource, in their new order. */
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadOrder"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDownloadLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The lifetime of the link in seconds. */
                    lifetime?: number;
                    /** @description When the link expires, in seconds since 1970. */
                    expiration?: number;
                    /** @description The user_ref or uid of the reader to whose access the link is bound: it works only while they have access. */
                    user_ref?: string;
                    /** @description The number of downloads that the link allows. */
                    limit?: number;
                    /** @description The file name that readers get. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewDownloadLink"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadDownload: {
        parameters: {
            query: {
                /** @description The file name that readers get. */
                name: string;
                /** @description The title that readers see. */
                title?: string;
                /** @description Whether readers can get the file. */
                published?: boolean;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replaceDownload: {
        parameters: {
            query: {
                /** @description The file name that readers get. */
                name: string;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
                /** @description Only records of this resource. */
                rid?: string;
                /** @description Only deliveries of this download, by its id. */
                download?: string;
                /** @description Only records of this person. */
                uid?: string;
                /** @description Only records since this time, in seconds since 1970. */
                from?: number;
                /** @description Only records before this time, in seconds since 1970. */
                to?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "at" | "-at";
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryItemPage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownImage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownImage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setResourceImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownImage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeResourceImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are written with a space before: `%20.` and `%20..`. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownImage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setDownloadImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownImage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeDownloadImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShownImage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEmails: {
        parameters: {
            query?: {
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
                /** @description Only emails in this state. */
                status?: "waiting" | "sent" | "kept" | "dead";
                /** @description Only records of this person. */
                uid?: string;
                /** @description Only emails since this time, in milliseconds of the environment's clock, as `created_at`. */
                from?: number;
                /** @description Only emails before this time, in milliseconds of the environment's clock, as `created_at`. */
                to?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created";
                /** @description The text to search for, as in the search box of the dashboard's list. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedMailPage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEmail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailDetails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailItem"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendFailedEmails: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentMails"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRefusedCalls: {
        parameters: {
            query?: {
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description The number of records that a page can have; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedCallItemPage"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsView"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the first one was. Kept for 7 days. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name of the application. */
                    name?: string;
                    /** @description ISO 4217 code of the currency of free access, and of prices that name none. */
                    currency?: string;
                    /** @description The sender of the application's emails. */
                    mail_from?: string;
                    /** @description The template of the email about a grant. */
                    mail_template?: string;
                    /** @description Only the given kinds change. An empty template restores the built-in one. */
                    mail_templates?: {
                        /** @description The template of the email `receipt`. */
                        receipt?: string;
                        /** @description The template of the email `trial_started`. */
                        trial_started?: string;
                        /** @description The template of the email `trial_ends`. */
                        trial_ends?: string;
                        /** @description The template of the email `payment_failed`. */
                        payment_failed?: string;
                        /** @description The template of the email `subscription_ended`. */
                        subscription_ended?: string;
                        /** @description The template of the email `canceled`. */
                        canceled?: string;
                        /** @description The template of the email `refunded`. */
                        refunded?: string;
                        /** @description The template of the email `address_changed`. */
                        address_changed?: string;
                    };
                    /** @description The accent color of the application's pages and emails, such as `#1f5f4a`. */
                    accent?: string;
                    /** @description The email address where readers get help. */
                    support_email?: string;
                    /** @description Only the given kinds change. An empty URL removes a link. */
                    legal_links?: {
                        /** @description The URL of the seller's page `terms`. */
                        terms?: string;
                        /** @description The URL of the seller's page `privacy`. */
                        privacy?: string;
                        /** @description The URL of the seller's page `imprint`. */
                        imprint?: string;
                        /** @description The URL of the seller's page `refunds`. */
                        refunds?: string;
                    };
                    /** @description The time zone of dates that readers see, such as `Europe/Berlin`. */
                    time_zone?: string;
                    /** @description The seller's name, shown on receipts. */
                    seller_name?: string;
                    /** @description The seller's postal address, shown on receipts. */
                    seller_address?: string;
                    /** @description A line about taxes, such as a VAT number, shown on receipts. */
                    tax_line?: string;
                    /** @description The URLs that buyers may return to, including everything below them. */
                    return_urls?: string[];
                    /** @description The number of days for which access continues while a renewal is unpaid. */
                    grace_days?: number;
                    /** @description Whether API clients must send the parameter `ts` with each write. */
                    require_ts?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsView"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApplications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The environment: production or sandbox. */
                environment: "production" | "sandbox";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationList"];
                };
            };
            /** @description The error: what is wrong, where, and what to do. */
            default: {
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
