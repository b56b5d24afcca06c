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
            /** @description Everything that gives or gave the access. */
            sources: components["schemas"]["SourceItem"][];
            /** @description The id of the access record. */
            id: string;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource_name: string;
            /** @description The id of the person. */
            uid: string;
            /** @description Empty if no email is verified, or the person was erased. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
            /** @description The user_ref of the last grant; null if it had none. */
            user_ref: null | string;
            /** @description In the order in which they are shown. */
            tags: string[];
            /** @description When it was granted, in seconds since 1970. */
            created: number;
            /** @description Null for access with no end date. */
            expires: null | number;
            /** @description When a subscription renews it next; null if none does, or if it has no end date. */
            renews: null | number;
            /** @description When it was revoked, in seconds; null if it was not. */
            revoked: null | number;
            /**
             * @description Where it stands now. `ending`: live, but ends within seven days, and no subscription renews it.
             * @enum {string}
             */
            state: "expired" | "revoked" | "live" | "ending";
            /** @description Null if nothing was paid. */
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
            /** @description Empty if no email is verified, or the person was erased. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
            /** @description The user_ref of the last grant; null if it had none. */
            user_ref: null | string;
            /** @description In the order in which they are shown. */
            tags: string[];
            /** @description When it was granted, in seconds since 1970. */
            created: number;
            /** @description Null for access with no end date. */
            expires: null | number;
            /** @description When a subscription renews it next; null if none does, or if it has no end date. */
            renews: null | number;
            /** @description When it was revoked, in seconds; null if it was not. */
            revoked: null | number;
            /**
             * @description Where it stands now. `ending`: live, but ends within seven days, and no subscription renews it.
             * @enum {string}
             */
            state: "expired" | "revoked" | "live" | "ending";
            /** @description Null if nothing was paid. */
            paid: null | components["schemas"]["Money"];
        };
        AccessItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["AccessItem"][];
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        ApplicationItem: {
            /** @description The id of the application. */
            aid: string;
            /** @description The name of the application. */
            name: string;
            /** @description The currency of prices that name none. */
            currency: string;
            /** @description When it was created, in seconds since 1970. */
            created: number;
            /** @description When it was archived, in seconds; null while it is in use. */
            archived: null | number;
        };
        ApplicationList: {
            /** @description The applications that the token may use, including archived ones. */
            data: components["schemas"]["ApplicationItem"][];
        };
        Count: {
            /** @description How many records there are. */
            count: number;
            /** @description Where to find them. */
            list: components["schemas"]["ListLink"];
        };
        DayRange: {
            /** @description The first day, such as `2027-03-01`, in the application's time zone. */
            first: string;
            /** @description The last day, inclusive. */
            last: string;
        };
        DeliveryItem: {
            /** @description The id of the delivery. */
            id: string;
            /** @description When it began, in seconds since 1970. */
            at: number;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the download. */
            download_id: string;
            /** @description The id of the person whom the link was made for; null for a link without one. */
            uid: null | string;
            /** @description First and last name; may be empty. */
            name: string;
            /** @description Empty if the link is not bound to a reader. */
            email: string;
            /** @description Identifies the link but can't be used to open it. */
            link: string;
            /** @description How many responses are counted together here. */
            answers: number;
            /** @description How many bytes were sent. */
            bytes: number;
            /**
             * @description `redirected`: another server delivers the file, and only it knows the outcome.
             * @enum {string}
             */
            outcome: "complete" | "partial" | "redirected";
        };
        DeliveryItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["DeliveryItem"][];
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
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
            /** @description May be empty. */
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL that was typed in. An uploaded image is shown instead. */
            linked_image: string;
            /** @description The file name that readers get. */
            file: string;
            /** @description The media type. */
            type: string;
            /** @description In bytes. */
            size: number;
            /** @description The SHA-256 of the file, in hexadecimal. */
            sha256: string;
            /**
             * @description Where the file is stored.
             * @enum {string}
             */
            store: "disk" | "s3";
            /** @description When the current file was added, in seconds since 1970. */
            filed: number;
            /** @description When it was created, in seconds since 1970. */
            created: number;
            /** @description When it was last changed, in seconds since 1970. */
            modified: number;
            /** @description When it was published, in seconds; null if it is not. */
            published: null | number;
        };
        DownloadOrder: {
            /** @description The ids of all files of the resource, in their order. */
            ids: string[];
        };
        EraseDone: {
            /** @description The id of the person, which stays. */
            uid: string;
            /** @description How many access records were revoked. */
            revoked: number;
            /** @description How many references were removed. */
            references: number;
            /** @description How many emails were emptied. */
            mails: number;
        };
        ExplainedCheck: {
            /** @description The time of the environment, in seconds since 1970. */
            now: number;
            /** @description The reader, as it was asked. */
            user_ref: string;
            /** @description The meaning of `code`, as a sentence. */
            meaning: string;
            /** @description The resource, as it was asked. */
            rid: string;
            /** @description Whether the reader may see it. */
            granted: boolean;
            /**
             * @description Why.
             * @enum {string}
             */
            code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown";
            /** @description Everything that gives access now or later. */
            sources: components["schemas"]["ExplainedSource"][];
            /** @description The prices at which the reader could buy access. */
            offers: components["schemas"]["ExplainedOffer"][];
            /** @description When access ended, in seconds; left out if it is granted, or never was. */
            since?: number;
            /** @description When access ends, in seconds; left out if it has no end or is not granted. */
            until?: number;
            /** @description The earliest time, in seconds, at which the answer can change by itself; left out if it can't. */
            next_change?: number;
            /** @description The rid of the pass that decides; left out if no pass does. */
            via?: string;
            /** @description The access record; left out if it is not granted. */
            access_id?: string;
        };
        ExplainedOffer: {
            /** @description The id of the price. */
            price: string;
            /** @description The resource that is sold, or a pass that opens it. */
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
        ExplainedSource: {
            /**
             * @description The kind of source.
             * @enum {string}
             */
            kind: "grant" | "purchase" | "subscription";
            /** @description The id of the subscription, of the payment of a purchase, or of the access record of a grant. */
            id: string;
            /** @description Since when it gives access, in seconds; in the future for a queued period. */
            from: number;
            /** @description When it ends, in seconds; left out if it has no end. */
            until?: number;
            /** @description The rid of the pass that it gives access through. */
            via?: string;
        };
        Figures: {
            /** @description The application's time zone, in which days begin. */
            time_zone: string;
            /** @description The days that the figures cover. */
            range: components["schemas"]["DayRange"];
            /** @description The days before, with which they are compared. */
            previous: components["schemas"]["DayRange"];
            /** @description The currency of all amounts. */
            currency: string;
            /** @description All currencies in which there were payments, and the one that is shown. */
            currencies: string[];
            /** @description Amounts in the currency. */
            revenue: {
                /** @description Taken, without refunds and lost disputes. */
                net: number;
                /** @description The same for the days before. */
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
             * @description How long each of `buckets` is.
             * @enum {string}
             */
            unit: "day" | "week" | "month";
            /** @description Oldest first. */
            buckets: {
                /** @description The first day, such as `2027-03-01`, in the application's time zone. */
                first: string;
                /** @description The last day, inclusive. */
                last: string;
                /** @description Revenue of these days, in minor units. */
                net: number;
            }[];
            /** @description Highest first. */
            resources: components["schemas"]["ResourceFigures"][];
            /** @description Paid subscriptions. */
            subscribers: {
                /** @description At the beginning of the first day. */
                start: components["schemas"]["SubscriptionCount"];
                /** @description Subscriptions that became paid, of readers who never had a paid one to the resource before. */
                new: components["schemas"]["SubscriptionCount"];
                /** @description Subscriptions that became paid, of readers whose earlier paid one to the resource had ended. */
                back: components["schemas"]["SubscriptionCount"];
                /** @description Subscriptions that ended in these days. */
                left: components["schemas"]["SubscriptionCount"];
                /** @description At the end of the last day. */
                end: components["schemas"]["SubscriptionCount"];
            };
            /** @description Trials of subscriptions. */
            trials: {
                /** @description At the end of the last day. */
                running: components["schemas"]["Count"];
                /** @description Begun in these days. */
                started: components["schemas"]["Count"];
                /** @description Paid for after the trial. */
                converted: components["schemas"]["Count"];
                /** @description Ended without a payment. */
                lost: components["schemas"]["Count"];
            };
        };
        GrantPreview: {
            /**
             * @description The effect of the grant on the access.
             * @enum {string}
             */
            outcome: "new" | "extended" | "shortened" | "changed" | "unchanged";
            /** @description Null for a new person. */
            uid: null | string;
            /** @description The end before the grant, in seconds; null if there is no access yet, or it has no end date. */
            expires_before: null | number;
            /** @description The end after the grant, in seconds; null for no end date. */
            expires: null | number;
            /**
             * @description `none`: the grant sends no mail; `kept`: no mail server is configured, so the mail would not be sent.
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
            /** @description At most 10, grouped by kind. */
            data: components["schemas"]["Hit"][];
        };
        LegalLinkUrls: {
            /** @description Terms and conditions. */
            terms?: string;
            /** @description Privacy policy. */
            privacy?: string;
            /** @description Imprint. */
            imprint?: string;
            /** @description Refund policy. */
            refunds?: string;
        };
        ListLink: {
            /**
             * @description A list of the dashboard.
             * @enum {string}
             */
            page: "access" | "subscriptions" | "payments" | "mail";
            /** @description The filters of the list that has the records. */
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
            /** @description May be empty. */
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL that was typed in. An uploaded image is shown instead. */
            linked_image: string;
            /** @description The file name that readers get. */
            file: string;
            /** @description The media type. */
            type: string;
            /** @description In bytes. */
            size: number;
            /** @description The SHA-256 of the file, in hexadecimal. */
            sha256: string;
            /**
             * @description Where the file is stored.
             * @enum {string}
             */
            store: "disk" | "s3";
            /** @description When the current file was added, in seconds since 1970. */
            filed: number;
            /** @description When it was created, in seconds since 1970. */
            created: number;
            /** @description When it was last changed, in seconds since 1970. */
            modified: number;
            /** @description When it was published, in seconds; null if it is not. */
            published: null | number;
        };
        ListedDownloadPage: {
            /** @description The records of this page. */
            data: components["schemas"]["ListedDownload"][];
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        ListedMail: {
            /** @description First and last name of the person; may be empty. */
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
            /** @description Empty if the person was erased. */
            to: string;
            /** @description Where it goes if it is resent: the address that the person has now. Empty if the person was erased. */
            resend_to: string;
            /**
             * @description `kept`: not sent, because no mail server was set. `dead`: failed.
             * @enum {string}
             */
            status: "sent" | "dead" | "kept" | "waiting";
            /** @description How often it was tried. */
            attempts: number;
            /** @description In milliseconds since 1970. */
            created_at: number;
            /** @description The time of the next attempt; null unless the mail is waiting. */
            due_at: null | number;
            /** @description In milliseconds; null if it was not sent. */
            sent_at: null | number;
            /** @description The error of the last attempt; null if it had none. */
            last_error: null | string;
        };
        ListedMailPage: {
            /** @description The records of this page. */
            data: components["schemas"]["ListedMail"][];
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        MailContent: {
            /** @description From, To and others, in their order. */
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
            /** @description The mail as its reader gets it; null if it can no longer be built. */
            content: null | components["schemas"]["MailContent"];
            /** @description Why it can't be built. */
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
            /** @description Empty if the person was erased. */
            to: string;
            /** @description Where it goes if it is resent: the address that the person has now. Empty if the person was erased. */
            resend_to: string;
            /**
             * @description `kept`: not sent, because no mail server was set. `dead`: failed.
             * @enum {string}
             */
            status: "sent" | "dead" | "kept" | "waiting";
            /** @description How often it was tried. */
            attempts: number;
            /** @description In milliseconds since 1970. */
            created_at: number;
            /** @description The time of the next attempt; null unless the mail is waiting. */
            due_at: null | number;
            /** @description In milliseconds; null if it was not sent. */
            sent_at: null | number;
            /** @description The error of the last attempt; null if it had none. */
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
            /** @description Empty if the person was erased. */
            to: string;
            /** @description Where it goes if it is resent: the address that the person has now. Empty if the person was erased. */
            resend_to: string;
            /**
             * @description `kept`: not sent, because no mail server was set. `dead`: failed.
             * @enum {string}
             */
            status: "sent" | "dead" | "kept" | "waiting";
            /** @description How often it was tried. */
            attempts: number;
            /** @description In milliseconds since 1970. */
            created_at: number;
            /** @description The time of the next attempt; null unless the mail is waiting. */
            due_at: null | number;
            /** @description In milliseconds; null if it was not sent. */
            sent_at: null | number;
            /** @description The error of the last attempt; null if it had none. */
            last_error: null | string;
        };
        MergeDone: {
            /** @description The id of the person who was merged. */
            from: string;
            /** @description The id of the person who remains. */
            into: string;
            /** @description How many references were moved. */
            references: number;
            /** @description Access records that only the first person had. */
            moved: number;
            /** @description Access records that both had, and that became one. */
            joined: number;
        };
        Money: {
            /** @description In minor units, such as cents. */
            amount: number;
            /** @description ISO 4217. */
            currency: string;
        };
        NewDownloadLink: {
            /** @description Where the file can be downloaded. Anybody who has this URL can use it. */
            url: string;
            /** @description When the link expires, in seconds since 1970. */
            expires: number;
        };
        NewManageLink: {
            /** @description Where the reader changes the card, cancels or resumes. */
            url: string;
            /** @description When the link expires, in seconds since 1970. */
            expires: number;
        };
        NoteItem: {
            /** @description The id of the note. */
            id: string;
            /** @description Plain text with line breaks. */
            text: string;
            /** @description The author, such as `staff:ID`. */
            actor: string;
            /** @description When it was written. */
            created: number;
            /** @description When it was last changed; null if it never was. */
            changed: null | number;
            /** @description The last actor to change it, such as `staff:ID`; null if it was never changed. */
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
            /** @description How many readers have the pass now. */
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
            /** @description The access record that it pays for; null if it grants none. */
            access_id: null | string;
            /** @description The subscription that it belongs to; null for a single purchase. */
            subscription_id: null | string;
            /** @description The amount charged. */
            money: components["schemas"]["Money"];
            /** @description How much of it was paid back. */
            refunded: components["schemas"]["Money"];
            /**
             * @description `lost`: a dispute was lost.
             * @enum {string}
             */
            status: "refunded" | "pending" | "succeeded" | "failed" | "partially_refunded" | "disputed" | "lost";
            /** @description Why somebody should look at it; null if nothing is wrong. */
            flag: ("late" | "duplicate" | "mismatch") | null;
            /** @description Why it failed, such as `declined`; null if it did not. */
            failure: null | string;
            /** @description When it was begun, in seconds since 1970. */
            created: number;
            /** @description When the provider answered, in seconds; null while it is pending. */
            settled: null | number;
            /** @description When the paid period begins, in seconds; null if it has none. */
            period_start: null | number;
            /** @description When the paid period ends, in seconds; null if it has none. */
            period_end: null | number;
            /** @description The payment provider. */
            provider: string;
            /** @description The provider's id for it; null if there is none. */
            provider_ref: null | string;
            /** @description All refunds, oldest first. */
            refunds: components["schemas"]["RefundItem"][];
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The verified address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
        };
        PaymentItem: {
            /** @description The id of the payment. */
            id: string;
            /** @description The access record that it pays for; null if it grants none. */
            access_id: null | string;
            /** @description The subscription that it belongs to; null for a single purchase. */
            subscription_id: null | string;
            /** @description The amount charged. */
            money: components["schemas"]["Money"];
            /** @description How much of it was paid back. */
            refunded: components["schemas"]["Money"];
            /**
             * @description `lost`: a dispute was lost.
             * @enum {string}
             */
            status: "refunded" | "pending" | "succeeded" | "failed" | "partially_refunded" | "disputed" | "lost";
            /** @description Why somebody should look at it; null if nothing is wrong. */
            flag: ("late" | "duplicate" | "mismatch") | null;
            /** @description Why it failed, such as `declined`; null if it did not. */
            failure: null | string;
            /** @description When it was begun, in seconds since 1970. */
            created: number;
            /** @description When the provider answered, in seconds; null while it is pending. */
            settled: null | number;
            /** @description When the paid period begins, in seconds; null if it has none. */
            period_start: null | number;
            /** @description When the paid period ends, in seconds; null if it has none. */
            period_end: null | number;
            /** @description The payment provider. */
            provider: string;
            /** @description The provider's id for it; null if there is none. */
            provider_ref: null | string;
            /** @description All refunds, oldest first. */
            refunds: components["schemas"]["RefundItem"][];
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The verified address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
        };
        PaymentItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["PaymentItem"][];
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        PeoplePage: {
            /** @description The records of this page. */
            data: {
                /** @description The id of the person. */
                uid: string;
                /** @description Empty if no email is verified, or the person was erased. */
                email: string;
                /** @description Typed at a checkout and unverified: mails are sent to it, but it identifies nobody. */
                contact_email: string;
                /** @description May be empty. */
                first_name: string;
                /** @description May be empty. */
                last_name: string;
                /** @description When the person was first seen, in seconds since 1970. */
                created: number;
                /** @description When the person was erased, in seconds; null if not. */
                erased: null | number;
                /** @description How many live access records the person has. */
                live: number;
            }[];
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        PersonDetails: {
            /** @description The person, with all IDs. */
            person: {
                /** @description The id of the person. */
                uid: string;
                /** @description Empty if no email is verified, or the person was erased. */
                email: string;
                /** @description Typed at a checkout and unverified: mails are sent to it, but it identifies nobody. */
                contact_email: string;
                /** @description May be empty. */
                first_name: string;
                /** @description May be empty. */
                last_name: string;
                /** @description When the person was first seen, in seconds since 1970. */
                created: number;
                /** @description When the person was erased, in seconds; null if not. */
                erased: null | number;
                /** @description References of your site for the person. */
                refs: string[];
                /** @description The uids and user_refs of users merged into this one, which now refer to this user. */
                aliases: string[];
                /** @description The uid of the user this one was merged into. */
                merged_into: null | string;
            };
            /** @description The resources that the person can or cannot read, each with the reason. */
            reading: components["schemas"]["Reading"][];
            /** @description All access records, including expired and revoked ones. */
            access: components["schemas"]["AccessDetails"][];
            /** @description Up to 200, including ended ones. */
            subscriptions: components["schemas"]["SubscriptionItem"][];
            /** @description The newest 200; the list of payments has the rest. */
            payments: components["schemas"]["PaymentItem"][];
            /** @description The emails to the person. */
            mails: components["schemas"]["PersonMail"][];
            /** @description The files that the person downloaded. */
            downloads: components["schemas"]["PersonDownload"][];
            /** @description Newest first. */
            notes: components["schemas"]["NoteItem"][];
            /** @description The refused checks of the last 30 days, latest first. */
            refused_checks: components["schemas"]["RefusedCheckItem"][];
        };
        PersonDownload: {
            /** @description The id of the delivery. */
            id: string;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description When it began, in seconds since 1970. */
            at: number;
            /** @description How many responses are counted together here. */
            answers: number;
            /** @description How many bytes were sent. */
            bytes: number;
            /**
             * @description `redirected`: another server delivers the file, and only it knows the outcome.
             * @enum {string}
             */
            outcome: "complete" | "partial" | "redirected";
        };
        PersonMail: {
            /** @description The id of the email. */
            id: string;
            /** @description The kind of email. */
            kind: string;
            /** @description The name of the resource that it is about; empty if it is about none. */
            resource: string;
            /** @description The address that it was made for. */
            to: string;
            /** @description Where it goes if it is resent: the address that the person has now. */
            resend_to: string;
            /**
             * @description `kept`: not sent, because no mail server was set. `dead`: failed.
             * @enum {string}
             */
            status: "queued" | "sending" | "sent" | "dead" | "kept";
            /** @description In milliseconds since 1970. */
            created_at: number;
            /** @description In milliseconds; null if it was not sent. */
            sent_at: null | number;
            /** @description The error of the last attempt; null if it had none. */
            last_error: null | string;
        };
        PriceItem: {
            /** @description The id of the price. */
            id: string;
            /** @description The amount charged. */
            amount: components["schemas"]["Money"];
            /** @description Whether it is a subscription. */
            recurring: boolean;
            /** @description Such as `1 month`; null for lifetime access. */
            period: null | string;
            /** @description Days before the first charge; 0 without a trial. */
            trial_days: number;
            /** @description The terms in one line: `4.99 EUR every month`. */
            terms: string;
            /** @description When it was created, in seconds since 1970. */
            created: number;
            /** @description When the price was archived; null while it can be bought. */
            archived: null | number;
        };
        Reading: {
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource_name: string;
            /** @description Whether the person can read it now. */
            access: boolean;
            /**
             * @description The reason, as in a check of the API.
             * @enum {string}
             */
            code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown" | "application_archived";
            /** @description The rid of the pass that decides; null if none does. */
            via: null | string;
            /** @description The name of the pass that decides; null if none does. */
            pass_name: null | string;
            /** @description When access ended; null if it is granted, or never was. */
            since: null | number;
            /** @description The end of the relevant access record; null if it has no end date, or there is no record. */
            expires: null | number;
        };
        RefundItem: {
            /** @description The id of the refund. */
            id: string;
            /** @description The id of the payment. */
            payment_id: string;
            /** @description How much is paid back. */
            money: components["schemas"]["Money"];
            /**
             * @description `pending`: the provider has not answered yet.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /** @description Why it failed, or why it was made automatically. */
            reason: null | string;
            /** @description Your own reference; null if none was given. */
            reference: null | string;
            /** @description The actor, such as `staff:ID` or `api`. */
            actor: string;
            /** @description When it was ordered, in seconds since 1970. */
            created: number;
            /** @description When the provider answered, in seconds; null while it is pending. */
            settled: null | number;
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
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        RefusedCheckItem: {
            /** @description The resource that was asked for. */
            rid: string;
            /** @description Empty if there is no such resource. */
            resource_name: string;
            /**
             * @description Why it was refused.
             * @enum {string}
             */
            code: "never_granted" | "expired" | "revoked" | "no_resource";
            /** @description When the access ended or was revoked. */
            since: null | number;
            /** @description The name of the pass through which there had been access. */
            via_name: null | string;
            /** @description When it was first refused. */
            first_at: number;
            /** @description When it was last refused. */
            last_at: number;
            /** @description How often it was refused. */
            times: number;
        };
        RemovedDownload: {
            /** @description Always true: its links have stopped working. */
            removed: boolean;
        };
        ResentMails: {
            /** @description How many emails are sent again. */
            queued: number;
        };
        ResourceDetails: {
            /** @description The resources that this one opens for readers who have it. */
            opens: components["schemas"]["ResourceOpens"];
            /** @description The resources that open this one, by their names. */
            opened_by: {
                /** @description The id of the resource. */
                rid: string;
                /** @description The name of the resource. */
                name: string;
            }[];
            /** @description Includes archived prices. */
            all_prices: components["schemas"]["PriceItem"][];
            /** @description The page where it can be bought. */
            checkout_url: string;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name that readers see. */
            name: string;
            /** @description May be empty. */
            url: string;
            /** @description May be empty. */
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL that was typed in. An uploaded image is shown instead. */
            linked_image: string;
            /** @description When it was created, in seconds since 1970. */
            created: number;
            /** @description When it was archived, in seconds; null while it is in use. */
            archived: null | number;
            /** @description How many access records are live. */
            live: number;
            /** @description The prices that can be bought now. */
            prices: components["schemas"]["PriceItem"][];
            /** @description In the order that readers see. */
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
            /** @description In bytes. */
            size: number;
            /** @description Whether readers can get it. */
            published: boolean;
        };
        ResourceItem: {
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name that readers see. */
            name: string;
            /** @description May be empty. */
            url: string;
            /** @description May be empty. */
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL that was typed in. An uploaded image is shown instead. */
            linked_image: string;
            /** @description When it was created, in seconds since 1970. */
            created: number;
            /** @description When it was archived, in seconds; null while it is in use. */
            archived: null | number;
            /** @description How many access records are live. */
            live: number;
            /** @description The prices that can be bought now. */
            prices: components["schemas"]["PriceItem"][];
            /** @description In the order that readers see. */
            files: components["schemas"]["ResourceFile"][];
        };
        ResourceItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["ResourceItem"][];
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        ResourceOpens: {
            /** @description The rids of single resources, which need not exist yet. */
            rids: string[];
            /** @description Everything whose rid begins with one of these. */
            prefixes: string[];
            /** @description Whether it opens everything in the application. */
            all: boolean;
        };
        RevokedCounts: {
            /** @description The record after the revoke. */
            access: components["schemas"]["AccessItem"];
            /** @description The refunds that were made with it. */
            refunds: components["schemas"]["RefundItem"][];
        };
        SettingsView: {
            /** @description The id of the application. */
            aid: string;
            /** @description The name of the application. */
            name: string;
            /** @description The currency of prices that name none. */
            currency: string;
            /** @description The sender of its emails. */
            mail_from: string;
            /** @description The template of the email about a grant. */
            mail_template: string;
            /** @description The application's own templates, by kind. A missing one is the default. */
            mail_templates: {
                /** @description A subscription was canceled. */
                canceled?: string;
                /** @description A payment was refunded. */
                refunded?: string;
                /** @description A payment was made. */
                receipt?: string;
                /** @description A renewal could not be charged. */
                payment_failed?: string;
                /** @description A trial ends soon. */
                trial_ends?: string;
                /** @description The email address was changed. */
                address_changed?: string;
                /** @description A trial began. */
                trial_started?: string;
                /** @description A subscription ended. */
                subscription_ended?: string;
            };
            /** @description Empty for the built-in color. */
            accent: string;
            /** @description Where readers get help. */
            support_email: string;
            /** @description The seller's pages, linked from every page and email. */
            legal_links: components["schemas"]["LegalLinkUrls"];
            /** @description The time zone of dates that readers see. */
            time_zone: string;
            /** @description The URL of the logo. */
            logo: null | string;
            /** @description Shown on receipts. */
            seller_name: string;
            /** @description Shown on receipts. */
            seller_address: string;
            /** @description Shown on receipts. */
            tax_line: string;
            /** @description Buyers may return to these addresses and everything below them. */
            return_urls: string[];
            /** @description How long access continues while a renewal is unpaid. */
            grace_days: number;
            /** @description Whether writes of the application's API clients must carry a time. */
            require_ts: boolean;
            /** @description When it was created, in seconds since 1970. */
            created: number;
            /** @description When it was archived, in seconds; null while it is in use. */
            archived: null | number;
            /** @description The values used for empty settings. */
            defaults: {
                /** @description The sender of its emails. */
                mail_from: string;
                /** @description The accent color. */
                accent: string;
                /** @description The template of the email about a grant. */
                mail_template: string;
                /** @description The built-in templates, by kind. */
                mail_templates: components["schemas"]["TemplateTexts"];
                /** @description The name of the application. */
                seller_name: string;
            };
            /** @description The base URL of its pages and its API. */
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
            /** @description When it began, in seconds since 1970. */
            created: number;
            /** @description When a purchased period starts, if later than the purchase. */
            starts: null | number;
            /** @description When it ends, in seconds; null for no end date. */
            expires: null | number;
            /** @description When this source stopped granting access, if before its end. */
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
            /** @description The subscription that pays for it; null for other sources. */
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
            /** @description Their monthly value, in minor units. */
            monthly: number;
            /** @description How many records there are. */
            count: number;
            /** @description Where to find them. */
            list: components["schemas"]["ListLink"];
        };
        SubscriptionDetails: {
            /** @description Newest first. */
            payments: components["schemas"]["PaymentItem"][];
            /** @description The id of the subscription. */
            id: string;
            /** @description The access record that it pays for. */
            access_id: string;
            /** @description The reference of your site for the reader, or the uid. */
            user_ref: string;
            /**
             * @description `past_due`: the last charge failed, and access continues for the grace period. `canceled`: it ends with the current period.
             * @enum {string}
             */
            status: "canceled" | "trialing" | "active" | "past_due" | "ended";
            /** @description The price of a period. */
            price: components["schemas"]["Money"];
            /** @description Such as `1 month`. */
            period: string;
            /** @description When it began, in seconds since 1970. */
            created: number;
            /** @description When the current period began, in seconds since 1970. */
            current_period_start: number;
            /** @description When the current period ends, in seconds since 1970. */
            current_period_end: number;
            /** @description The end of the access that it grants; null for access with no end date. */
            access_ends: null | number;
            /** @description When the trial ends or ended, in seconds; null if there was none. */
            trial_ends: null | number;
            /** @description When it was canceled, in seconds; null if it was not. */
            canceled: null | number;
            /** @description When it ended, in seconds; null if it has not. */
            ended: null | number;
            /** @description The time of the worker's next step, in seconds; null while a payment is pending, and after the end. */
            next_due: null | number;
            /** @description The worker's step at `next_due`. */
            next_step: ("trial_notice" | "renew" | "end") | null;
            /** @description Failed charges for the upcoming period. */
            tries: number;
            /** @description The payment provider. */
            provider: string;
            /** @description Whether there is a card to charge. */
            has_card: boolean;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The verified address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
        };
        SubscriptionItem: {
            /** @description The id of the subscription. */
            id: string;
            /** @description The access record that it pays for. */
            access_id: string;
            /** @description The reference of your site for the reader, or the uid. */
            user_ref: string;
            /**
             * @description `past_due`: the last charge failed, and access continues for the grace period. `canceled`: it ends with the current period.
             * @enum {string}
             */
            status: "canceled" | "trialing" | "active" | "past_due" | "ended";
            /** @description The price of a period. */
            price: components["schemas"]["Money"];
            /** @description Such as `1 month`. */
            period: string;
            /** @description When it began, in seconds since 1970. */
            created: number;
            /** @description When the current period began, in seconds since 1970. */
            current_period_start: number;
            /** @description When the current period ends, in seconds since 1970. */
            current_period_end: number;
            /** @description The end of the access that it grants; null for access with no end date. */
            access_ends: null | number;
            /** @description When the trial ends or ended, in seconds; null if there was none. */
            trial_ends: null | number;
            /** @description When it was canceled, in seconds; null if it was not. */
            canceled: null | number;
            /** @description When it ended, in seconds; null if it has not. */
            ended: null | number;
            /** @description The time of the worker's next step, in seconds; null while a payment is pending, and after the end. */
            next_due: null | number;
            /** @description The worker's step at `next_due`. */
            next_step: ("trial_notice" | "renew" | "end") | null;
            /** @description Failed charges for the upcoming period. */
            tries: number;
            /** @description The payment provider. */
            provider: string;
            /** @description Whether there is a card to charge. */
            has_card: boolean;
            /** @description The id of the resource, as your site names it. */
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            /** @description The id of the person. */
            uid: string;
            /** @description The verified address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
        };
        SubscriptionItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["SubscriptionItem"][];
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        Sum: {
            /** @description In minor units. */
            amount: number;
            /** @description The payments behind it. */
            list: components["schemas"]["ListLink"];
        };
        TemplateTexts: {
            /** @description Access was granted. */
            grant: string;
            /** @description A payment was made. */
            receipt: string;
            /** @description A trial began. */
            trial_started: string;
            /** @description A trial ends soon. */
            trial_ends: string;
            /** @description A renewal could not be charged. */
            payment_failed: string;
            /** @description A subscription ended. */
            subscription_ended: string;
            /** @description A subscription was canceled. */
            canceled: string;
            /** @description A payment was refunded. */
            refunded: string;
            /** @description The email address was changed. */
            address_changed: string;
        };
        TimelineItem: {
            /** @description When it happened, in seconds since 1970. */
            at: number;
            /**
             * @description The kind of event.
             * @enum {string}
             */
            kind: "expired" | "download" | "mail" | "payment" | "change" | "refund";
            /** @description For programs: the action of a change, or the status or outcome of other events. */
            what: string;
            /** @description The id of the resource, as your site names it; null if it is about none. */
            rid: null | string;
            /** @description The access record; null if it is about none. */
            access_id: null | string;
            /** @description The payment; null if it is about none. */
            payment_id: null | string;
            /** @description The email; null if it is about none. */
            mail_id: null | string;
            /** @description The name of the resource that a mail is about; null for everything else. */
            about: null | string;
            /** @description The actor, such as `staff:ID`; null if there is none, as for an expiry. */
            actor: null | string;
            /** @description How much; null if it is not about money. */
            money: null | components["schemas"]["Money"];
            /** @description The end of the access before a change; null if there is none. */
            expires_before: null | number;
            /** @description The end of the access after a change; null if there is none. */
            expires: null | number;
            /** @description The parts of a refund, oldest first. */
            steps: components["schemas"]["TimelineItem"][];
        };
        TimelineItemPage: {
            /** @description The records of this page. */
            data: components["schemas"]["TimelineItem"][];
            /** @description How many records match. */
            total: number;
            /** @description The number of this page, counted from 0. */
            page: number;
            /** @description How many records a page has. */
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        Error: {
            /** @description What is wrong. */
            error: {
                /** @description For people. */
                message: string;
                /** @description For programs. */
                code: string;
                /** @description The parameter that is wrong, if it is one. */
                parameter?: string;
                /** @description Quote it to the operator. */
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
                /** @description Defaults to the last 30 days. Not used together with days. */
                range?: "7d" | "30d" | "90d" | "month" | "last_month" | "quarter" | "year";
                /** @description The first day, such as `2027-03-28`, in the application's time zone. */
                first?: string;
                /** @description The last day, inclusive. */
                last?: string;
                /** @description Defaults to the application's, or to another if there is money in that one alone. */
                currency?: string;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Includes expired records; the same as the state `unrevoked`. */
                show_expired?: boolean;
                /** @description Only records in this state; live ones by default. */
                state?: "live" | "ending" | "renewing" | "expired" | "unrevoked" | "revoked" | "any";
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "ends" | "-ends" | "name" | "-name";
                /** @description Searches as the search box of the list does. */
                q?: string;
                /** @description Only records granted, or in the state `revoked` revoked, since this time, in seconds. */
                from?: number;
                /** @description Only records granted, or in the state `revoked` revoked, before this time, in seconds. */
                to?: number;
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
                    /** @description Your own reference for the reader. */
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
                    /** @description Returns a preview instead of granting. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description A reference of your site, or a uid. */
                user_ref: string;
                /** @description The resource to ask about. */
                rid: string;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Includes expired records; the same as the state `unrevoked`. */
                show_expired?: boolean;
                /** @description Only records in this state; live ones by default. */
                state?: "live" | "ending" | "renewing" | "expired" | "unrevoked" | "revoked" | "any";
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "ends" | "-ends" | "name" | "-name";
                /** @description Searches as the search box of the list does. */
                q?: string;
                /** @description Only records granted, or in the state `revoked` revoked, since this time, in seconds. */
                from?: number;
                /** @description Only records granted, or in the state `revoked` revoked, before this time, in seconds. */
                to?: number;
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
                /** @description `people`: the records of the filters, with names and readable dates. `raw`: all that are not revoked, in exact values. `spreadsheet`, the default: the same, made safe for spreadsheets. */
                form?: "people" | "raw" | "spreadsheet";
                /** @description What separates the columns of the file. */
                delimiter?: "comma" | "semicolon";
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
                    /** @description Whether the payments that can be refunded are; false by default. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Searches as the search box of the list does. */
                q?: string;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "name" | "-name" | "created" | "-created";
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Searches as the search box of the list does. */
                q?: string;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "name" | "-name" | "created" | "-created";
                /** @description What separates the columns of the file. */
                delimiter?: "comma" | "semicolon";
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The new email address. */
                    email?: string;
                    /** @description Empty removes it. */
                    first_name?: string;
                    /** @description Empty removes it. */
                    last_name?: string;
                    /** @description Whether the old and the new address get an email; true by default. */
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
                    "application/json": components["schemas"]["PersonDetails"];
                };
            };
            /** @description What is wrong, where, and what to do. */
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
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Your own reference for the person. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
                uid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Plain text with line breaks. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the reader. */
                uid: string;
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Plain text with line breaks. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description An email address, a reference, a uid, a name, a rid or an id, or its beginning. */
                q: string;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Searches as the search box of the list does. */
                q?: string;
                /** @description Lists the archived ones instead of those in use. */
                archived?: boolean;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "name" | "-name" | "created" | "-created";
                /** @description The number of the page, counted from 0. */
                page?: number;
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
                    /** @description The address of its page on your site; empty for none. */
                    url?: string;
                    /** @description What readers are told about it; empty for none. */
                    description?: string;
                    /** @description The URL of a picture; empty for none. An uploaded one is shown instead. */
                    image?: string;
                    /** @description Your own id for it, which never changes. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name that readers see. */
                    name?: string;
                    /** @description The address of its page on your site; empty for none. */
                    url?: string;
                    /** @description What readers are told about it; empty for none. */
                    description?: string;
                    /** @description The URL of a picture; empty for none. An uploaded one is shown instead. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The rids of single resources, which need not exist yet. */
                    rids: string[];
                    /** @description Opens everything whose rid begins with one of these. */
                    prefixes: string[];
                    /** @description Whether it opens everything in the application. */
                    all: boolean;
                    /** @description Returns who would gain and lose access, and changes nothing. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
                rid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In minor units. */
                    amount: number;
                    /** @description Defaults to the application's currency. */
                    currency?: string;
                    /** @description Whether it is charged every period until canceled. */
                    recurring?: boolean;
                    /** @description Such as `1 month`; null or omitted for lifetime access. */
                    period?: string | null;
                    /** @description Days before the first charge of a subscription; 0 by default. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "ends" | "-ends" | "amount" | "-amount" | "name" | "-name";
                /** @description Only subscriptions in this state. */
                status?: "trialing" | "active" | "past_due" | "canceled" | "ended";
                /** @description Only records of this resource. */
                rid?: string;
                /** @description Only records of this person. */
                uid?: string;
                /** @description Finds those that moved on the given days; a state is that at the end of the last one. */
                moved?: "paid" | "new" | "back" | "left" | "in_trial" | "trial_started" | "trial_converted" | "trial_lost";
                /** @description The first day, such as `2027-03-28`, in the application's time zone. */
                first?: string;
                /** @description The last day, inclusive. */
                last?: string;
                /** @description Searches as the search box of the list does. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "ends" | "-ends" | "amount" | "-amount" | "name" | "-name";
                /** @description Only subscriptions in this state. */
                status?: "trialing" | "active" | "past_due" | "canceled" | "ended";
                /** @description Only records of this resource. */
                rid?: string;
                /** @description Only records of this person. */
                uid?: string;
                /** @description Finds those that moved on the given days; a state is that at the end of the last one. */
                moved?: "paid" | "new" | "back" | "left" | "in_trial" | "trial_started" | "trial_converted" | "trial_lost";
                /** @description The first day, such as `2027-03-28`, in the application's time zone. */
                first?: string;
                /** @description The last day, inclusive. */
                last?: string;
                /** @description Searches as the search box of the list does. */
                q?: string;
                /** @description What separates the columns of the file. */
                delimiter?: "comma" | "semicolon";
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "amount" | "-amount" | "name" | "-name";
                /** @description What became of the payment. `lost`: a dispute was lost. */
                status?: "pending" | "succeeded" | "failed" | "partially_refunded" | "refunded" | "disputed" | "lost";
                /** @description `any` finds all payments that need attention. */
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
                /** @description The last day, inclusive. */
                last?: string;
                /** @description Only payments in this currency. */
                currency?: string;
                /** @description Finds payments of exactly this amount in minor units and this currency, such as `390-EUR`. */
                price?: string;
                /** @description Searches as the search box of the list does. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "created" | "-created" | "amount" | "-amount" | "name" | "-name";
                /** @description What became of the payment. `lost`: a dispute was lost. */
                status?: "pending" | "succeeded" | "failed" | "partially_refunded" | "refunded" | "disputed" | "lost";
                /** @description `any` finds all payments that need attention. */
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
                /** @description The last day, inclusive. */
                last?: string;
                /** @description Only payments in this currency. */
                currency?: string;
                /** @description Finds payments of exactly this amount in minor units and this currency, such as `390-EUR`. */
                price?: string;
                /** @description Searches as the search box of the list does. */
                q?: string;
                /** @description What separates the columns of the file. */
                delimiter?: "comma" | "semicolon";
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
                    /** @description In minor units; defaults to all that is left. */
                    amount?: number;
                    /** @description Your own name for the refund: repeated with the same one, it is made once. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
                /** @description Only published downloads, or only those that are not. */
                published?: boolean;
                /** @description Only records of this resource. */
                rid?: string;
                /** @description The column to sort by; with `-`, the largest or latest first. */
                sort?: "title" | "-title" | "size" | "-size" | "modified" | "-modified";
                /** @description Searches as the search box of the list does. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
                    /** @description What it is called. */
                    title?: string;
                    /** @description Empty for none. */
                    description?: string;
                    /** @description The URL of a picture; empty for none. */
                    image?: string;
                    /** @description Whether readers can get it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
                    /** @description How long the link works, in seconds. */
                    lifetime?: number;
                    /** @description Until when the link works, in seconds since 1970. */
                    expiration?: number;
                    /** @description Makes the link valid only while this reader has access to the resource. */
                    user_ref?: string;
                    /** @description How many downloads the link allows. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description What it is called. */
                title?: string;
                /** @description Whether readers can get it. */
                published?: boolean;
            };
            header?: never;
            path: {
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description How many records a page has; 50 by default. */
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
                /** @description Searches as the search box of the list does. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
                environment: "production" | "sandbox";
                /** @description The id of the application. */
                aid: string;
                /** @description The id of the resource, as your site names it. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description How many records a page has; 50 by default. */
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
                /** @description Searches as the search box of the list does. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description How many records a page has; 50 by default. */
                pagesize?: number;
            };
            header?: never;
            path: {
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
                    /** @description The currency of free access, and of prices that name none. */
                    currency?: string;
                    /** @description The sender of its emails. */
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
                    /** @description The accent color of its pages and emails, such as `#1f5f4a`. */
                    accent?: string;
                    /** @description Where readers get help. */
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
                    /** @description Shown on receipts. */
                    seller_name?: string;
                    /** @description Shown on receipts. */
                    seller_address?: string;
                    /** @description Shown on receipts. */
                    tax_line?: string;
                    /** @description Buyers may return to these addresses and everything below them. */
                    return_urls?: string[];
                    /** @description How long access continues while a renewal is unpaid. */
                    grace_days?: number;
                    /** @description Whether writes of its API clients must carry a time. */
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
            /** @description What is wrong, where, and what to do. */
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
                /** @description Which environment. */
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
            /** @description What is wrong, where, and what to do. */
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
