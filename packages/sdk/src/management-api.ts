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
            sources: components["schemas"]["SourceItem"][];
            id: string;
            rid: string;
            resource_name: string;
            uid: string;
            /** @description Empty if no email is verified, or the person was erased. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
            /** @description The user_ref of the last grant; null if it had none. */
            user_ref: null | string;
            tags: string[];
            created: number;
            /** @description Null for access with no end date. */
            expires: null | number;
            /** @description When a subscription renews it next; null if none does, or if it has no end date. */
            renews: null | number;
            revoked: null | number;
            /** @enum {string} */
            state: "expired" | "revoked" | "live" | "ending";
            /** @description Null if nothing was paid. */
            paid: null | components["schemas"]["Money"];
        };
        AccessItem: {
            id: string;
            rid: string;
            resource_name: string;
            uid: string;
            /** @description Empty if no email is verified, or the person was erased. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
            /** @description The user_ref of the last grant; null if it had none. */
            user_ref: null | string;
            tags: string[];
            created: number;
            /** @description Null for access with no end date. */
            expires: null | number;
            /** @description When a subscription renews it next; null if none does, or if it has no end date. */
            renews: null | number;
            revoked: null | number;
            /** @enum {string} */
            state: "expired" | "revoked" | "live" | "ending";
            /** @description Null if nothing was paid. */
            paid: null | components["schemas"]["Money"];
        };
        AccessItemPage: {
            data: components["schemas"]["AccessItem"][];
            total: number;
            page: number;
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        ApplicationItem: {
            aid: string;
            name: string;
            currency: string;
            created: number;
            archived: null | number;
        };
        Count: {
            count: number;
            list: components["schemas"]["ListLink"];
        };
        DayRange: {
            first: string;
            last: string;
        };
        DeliveryItem: {
            id: string;
            at: number;
            rid: string;
            /** @description The name of the resource. */
            resource: string;
            download_id: string;
            uid: null | string;
            /** @description First and last name; may be empty. */
            name: string;
            /** @description Empty if the link is not bound to a reader. */
            email: string;
            /** @description Identifies the link but can't be used to open it. */
            link: string;
            answers: number;
            bytes: number;
            /** @enum {string} */
            outcome: "complete" | "partial" | "redirected";
        };
        DeliveryItemPage: {
            data: components["schemas"]["DeliveryItem"][];
            total: number;
            page: number;
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        DownloadItem: {
            id: string;
            rid: string;
            title: string;
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL that was typed in. An uploaded image is shown instead. */
            linked_image: string;
            file: string;
            type: string;
            /** @description In bytes. */
            size: number;
            sha256: string;
            /** @enum {string} */
            store: "disk" | "s3";
            filed: number;
            created: number;
            modified: number;
            published: null | number;
        };
        EraseDone: {
            uid: string;
            revoked: number;
            references: number;
            mails: number;
        };
        Figures: {
            time_zone: string;
            range: components["schemas"]["DayRange"];
            previous: components["schemas"]["DayRange"];
            currency: string;
            /** @description All that there is money in, and the one that is shown. */
            currencies: string[];
            revenue: {
                net: number;
                previous_net: number;
                /** @description The number of payments. */
                sales: number;
                taken: components["schemas"]["Sum"];
                refunded: components["schemas"]["Sum"];
                lost: components["schemas"]["Sum"];
            };
            /** @enum {string} */
            unit: "day" | "week" | "month";
            /** @description Oldest first. */
            buckets: {
                first: string;
                last: string;
                net: number;
            }[];
            /** @description Highest first. */
            resources: components["schemas"]["ResourceFigures"][];
            subscribers: {
                new: components["schemas"]["SubscriptionCount"];
                start: components["schemas"]["SubscriptionCount"];
                back: components["schemas"]["SubscriptionCount"];
                left: components["schemas"]["SubscriptionCount"];
                end: components["schemas"]["SubscriptionCount"];
            };
            trials: {
                running: components["schemas"]["Count"];
                started: components["schemas"]["Count"];
                converted: components["schemas"]["Count"];
                lost: components["schemas"]["Count"];
            };
        };
        GrantPreview: {
            /** @enum {string} */
            outcome: "new" | "extended" | "shortened" | "changed" | "unchanged";
            /** @description Null for a new person. */
            uid: null | string;
            expires_before: null | number;
            expires: null | number;
            /**
             * @description `none`: the grant sends no mail; `kept`: no mail server is configured, so the mail would not be sent.
             * @enum {string}
             */
            mail: "queued" | "kept" | "none";
        };
        Hit: {
            /** @enum {string} */
            kind: "access" | "subscription" | "person" | "resource" | "payment";
            id: string;
            title: string;
            detail: string;
            /** @description The person's uid, if the result has one. */
            uid: null | string;
        };
        ListLink: {
            /** @enum {string} */
            page: "access" | "subscriptions" | "payments" | "mail";
            query: {
                [key: string]: string;
            };
        };
        ListedDownload: {
            resource: string;
            id: string;
            rid: string;
            title: string;
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL that was typed in. An uploaded image is shown instead. */
            linked_image: string;
            file: string;
            type: string;
            /** @description In bytes. */
            size: number;
            sha256: string;
            /** @enum {string} */
            store: "disk" | "s3";
            filed: number;
            created: number;
            modified: number;
            published: null | number;
        };
        ListedDownloadPage: {
            data: components["schemas"]["ListedDownload"][];
            total: number;
            page: number;
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        MailContent: {
            headers: {
                name: string;
                value: string;
            }[];
            subject: string;
            text: string;
            html: string;
        };
        MailDetails: {
            /** @description The mail as its reader gets it; null if it can no longer be built. */
            content: null | components["schemas"]["MailContent"];
            /** @description Why it can't be built. */
            problem: null | string;
            id: string;
            uid: string;
            /** @enum {string} */
            kind: "canceled" | "refunded" | "grant" | "receipt" | "payment_failed" | "trial_ends" | "address_changed";
            /** @description Empty if the person was erased. */
            to: string;
            /** @description Where it goes if it is resent: the address that the person has now. Empty if the person was erased. */
            resend_to: string;
            /** @enum {string} */
            status: "sent" | "dead" | "kept" | "waiting";
            attempts: number;
            created_at: number;
            /** @description The time of the next attempt; null unless the mail is waiting. */
            due_at: null | number;
            sent_at: null | number;
            last_error: null | string;
        };
        MailItem: {
            id: string;
            uid: string;
            /** @enum {string} */
            kind: "canceled" | "refunded" | "grant" | "receipt" | "payment_failed" | "trial_ends" | "address_changed";
            /** @description Empty if the person was erased. */
            to: string;
            /** @description Where it goes if it is resent: the address that the person has now. Empty if the person was erased. */
            resend_to: string;
            /** @enum {string} */
            status: "sent" | "dead" | "kept" | "waiting";
            attempts: number;
            created_at: number;
            /** @description The time of the next attempt; null unless the mail is waiting. */
            due_at: null | number;
            sent_at: null | number;
            last_error: null | string;
        };
        MergeDone: {
            from: string;
            into: string;
            references: number;
            moved: number;
            joined: number;
        };
        MinorMoney: {
            amount: number;
            currency: string;
        };
        Money: {
            amount: number;
            currency: string;
        };
        NewDownloadLink: {
            url: string;
            expires: number;
        };
        NewManageLink: {
            url: string;
            expires: number;
        };
        NoteItem: {
            id: string;
            /** @description Plain text with line breaks. */
            text: string;
            /** @description Who wrote it, and who changed it last, as `staff:ID`. */
            actor: string;
            created: number;
            changed: null | number;
            changed_by: null | string;
        };
        OpensEffect: {
            /** @description Readers who have the pass, and something of this by nothing else. */
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
            gained: components["schemas"]["OpensEffect"];
            lost: components["schemas"]["OpensEffect"];
        };
        PaymentDetails: {
            /** @description The amount that can still be refunded. */
            refundable: components["schemas"]["Money"];
            id: string;
            access_id: null | string;
            subscription_id: null | string;
            money: components["schemas"]["Money"];
            refunded: components["schemas"]["Money"];
            /** @enum {string} */
            status: "refunded" | "pending" | "succeeded" | "failed" | "lost" | "partially_refunded" | "disputed";
            flag: ("late" | "duplicate" | "mismatch") | null;
            failure: null | string;
            created: number;
            settled: null | number;
            period_start: null | number;
            period_end: null | number;
            provider: string;
            provider_ref: null | string;
            refunds: components["schemas"]["RefundItem"][];
            rid: string;
            resource: string;
            uid: string;
            /** @description The verified address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
        };
        PaymentItem: {
            id: string;
            access_id: null | string;
            subscription_id: null | string;
            money: components["schemas"]["Money"];
            refunded: components["schemas"]["Money"];
            /** @enum {string} */
            status: "refunded" | "pending" | "succeeded" | "failed" | "lost" | "partially_refunded" | "disputed";
            flag: ("late" | "duplicate" | "mismatch") | null;
            failure: null | string;
            created: number;
            settled: null | number;
            period_start: null | number;
            period_end: null | number;
            provider: string;
            provider_ref: null | string;
            refunds: components["schemas"]["RefundItem"][];
            rid: string;
            resource: string;
            uid: string;
            /** @description The verified address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
        };
        PaymentItemPage: {
            data: components["schemas"]["PaymentItem"][];
            total: number;
            page: number;
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        PersonDetails: {
            person: {
                uid: string;
                /** @description Empty if no email is verified, or the person was erased. */
                email: string;
                /** @description Typed at a checkout and unverified: mails are sent to it, but it identifies nobody. */
                contact_email: string;
                first_name: string;
                last_name: string;
                created: number;
                erased: null | number;
                refs: string[];
                /** @description The uids and user_refs of users merged into this one, which now refer to this user. */
                aliases: string[];
                /** @description The uid of the user this one was merged into. */
                merged_into: null | string;
            };
            reading: components["schemas"]["Reading"][];
            access: components["schemas"]["AccessDetails"][];
            subscriptions: components["schemas"]["SubscriptionItem"][];
            payments: components["schemas"]["PaymentItem"][];
            mails: components["schemas"]["PersonMail"][];
            downloads: components["schemas"]["PersonDownload"][];
            /** @description Newest first. */
            notes: components["schemas"]["NoteItem"][];
            /** @description Of the last 30 days, latest first. */
            refused_checks: components["schemas"]["RefusedCheckItem"][];
        };
        PersonDownload: {
            id: string;
            rid: string;
            at: number;
            answers: number;
            bytes: number;
            /** @enum {string} */
            outcome: "complete" | "partial" | "redirected";
        };
        PersonMail: {
            id: string;
            kind: string;
            /** @description The name of the resource that it is about; empty if it is about none. */
            resource: string;
            to: string;
            /** @description Where it goes if it is resent: the address that the person has now. */
            resend_to: string;
            /** @enum {string} */
            status: "queued" | "sending" | "sent" | "dead" | "kept";
            created_at: number;
            sent_at: null | number;
            last_error: null | string;
        };
        PriceItem: {
            id: string;
            amount: components["schemas"]["Money"];
            recurring: boolean;
            /** @description Such as `1 month`; null for lifetime access. */
            period: null | string;
            trial_days: number;
            /** @description The terms in one line: `4.99 EUR every month`. */
            terms: string;
            created: number;
            /** @description When the price was archived; null while it can be bought. */
            archived: null | number;
        };
        Reading: {
            rid: string;
            resource_name: string;
            access: boolean;
            /**
             * @description As in a check of the API.
             * @enum {string}
             */
            code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown" | "application_archived";
            /** @description The rid and the name of the pass that decides; null if none does. */
            via: null | string;
            pass_name: null | string;
            /** @description When access ended; null if it is granted, or never was. */
            since: null | number;
            /** @description The end of the relevant access record; null if it has no end date, or there is no record. */
            expires: null | number;
        };
        RefundItem: {
            id: string;
            payment_id: string;
            money: components["schemas"]["Money"];
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /** @description Why it failed, or why it was made automatically. */
            reason: null | string;
            reference: null | string;
            actor: string;
            created: number;
            settled: null | number;
        };
        RefusedCallItem: {
            at: number;
            id: string;
            method: string;
            /** @description The route pattern, such as `/r2/user/:user_ref`. */
            route: string;
            status: number;
            /** @description The error code or, if the signature was refused, what was wrong with it. */
            reason: string;
            parameter: null | string;
            /** @description The key that signed the request; null if none did. */
            key_id: null | string;
        };
        RefusedCallItemPage: {
            data: components["schemas"]["RefusedCallItem"][];
            total: number;
            page: number;
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        RefusedCheckItem: {
            rid: string;
            /** @description Empty if there is no such resource. */
            resource_name: string;
            /** @enum {string} */
            code: "never_granted" | "expired" | "revoked" | "no_resource";
            /** @description When the access ended or was revoked. */
            since: null | number;
            /** @description The name of the pass through which there had been access. */
            via_name: null | string;
            first_at: number;
            last_at: number;
            times: number;
        };
        ResourceDetails: {
            opens: components["schemas"]["ResourceOpens"];
            /** @description The resources that open this one, by their names. */
            opened_by: {
                rid: string;
                name: string;
            }[];
            /** @description Includes archived prices. */
            all_prices: components["schemas"]["PriceItem"][];
            /** @description The page where it can be bought. */
            checkout_url: string;
            rid: string;
            name: string;
            /** @description May be empty. */
            url: string;
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL that was typed in. An uploaded image is shown instead. */
            linked_image: string;
            created: number;
            archived: null | number;
            /** @description How many access records are live. */
            live: number;
            /** @description The prices that can be bought now. */
            prices: components["schemas"]["PriceItem"][];
            /** @description In the order that readers see. */
            files: components["schemas"]["ResourceFile"][];
        };
        ResourceFigures: {
            rid: string;
            name: string;
            net: components["schemas"]["Sum"];
            /** @description The number of payments. */
            sales: number;
        };
        ResourceFile: {
            id: string;
            title: string;
            file_name: string;
            size: number;
            published: boolean;
        };
        ResourceItem: {
            rid: string;
            name: string;
            /** @description May be empty. */
            url: string;
            description: string;
            /** @description The URL of the uploaded image, or else the linked one; empty if there is none. */
            image: string;
            /** @description The URL that was typed in. An uploaded image is shown instead. */
            linked_image: string;
            created: number;
            archived: null | number;
            /** @description How many access records are live. */
            live: number;
            /** @description The prices that can be bought now. */
            prices: components["schemas"]["PriceItem"][];
            /** @description In the order that readers see. */
            files: components["schemas"]["ResourceFile"][];
        };
        ResourceItemPage: {
            data: components["schemas"]["ResourceItem"][];
            total: number;
            page: number;
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        ResourceOpens: {
            rids: string[];
            prefixes: string[];
            all: boolean;
        };
        RevokedCounts: {
            access: components["schemas"]["AccessItem"];
            refunds: components["schemas"]["RefundItem"][];
        };
        SettingsView: {
            aid: string;
            name: string;
            currency: string;
            mail_from: string;
            mail_template: string;
            /** @description The application's own templates, by kind. A missing one is the default. */
            mail_templates: {
                canceled?: string;
                refunded?: string;
                receipt?: string;
                payment_failed?: string;
                trial_ends?: string;
                address_changed?: string;
                trial_started?: string;
                subscription_ended?: string;
            };
            /** @description Empty for the built-in color. */
            accent: string;
            support_email: string;
            legal_links: {
                refunds?: string;
                terms?: string;
                privacy?: string;
                imprint?: string;
            };
            time_zone: string;
            /** @description The URL of the logo. */
            logo: null | string;
            seller_name: string;
            seller_address: string;
            tax_line: string;
            return_urls: string[];
            grace_days: number;
            /** @description Whether writes of the application's API clients must carry a time. */
            require_ts: boolean;
            created: number;
            archived: null | number;
            /** @description The values used for empty settings. */
            defaults: {
                mail_from: string;
                accent: string;
                mail_template: string;
                mail_templates: {
                    canceled: string;
                    refunded: string;
                    grant: string;
                    receipt: string;
                    payment_failed: string;
                    trial_ends: string;
                    address_changed: string;
                    trial_started: string;
                    subscription_ended: string;
                };
                seller_name: string;
            };
            /** @description The base URL of its pages and its API. */
            address: string;
        };
        ShownImage: {
            image: null | string;
        };
        SourceItem: {
            id: string;
            /** @enum {string} */
            kind: "grant" | "purchase" | "subscription";
            created: number;
            /** @description When a purchased period starts, if later than the purchase. */
            starts: null | number;
            expires: null | number;
            /** @description When this source stopped granting access, if before its end. */
            closed: null | number;
            payment: null | {
                id: string;
                amount: components["schemas"]["Money"];
                status: string;
            };
            subscription: null | {
                id: string;
                status: string;
                current_period_end: number;
            };
        };
        SubscriptionCount: {
            monthly: number;
            count: number;
            list: components["schemas"]["ListLink"];
        };
        SubscriptionDetails: {
            /** @description Newest first. */
            payments: components["schemas"]["PaymentItem"][];
            id: string;
            access_id: string;
            user_ref: string;
            /** @enum {string} */
            status: "canceled" | "trialing" | "active" | "past_due" | "ended";
            price: components["schemas"]["Money"];
            period: string;
            created: number;
            current_period_start: number;
            current_period_end: number;
            /** @description The end of the access that it grants; null for access with no end date. */
            access_ends: null | number;
            trial_ends: null | number;
            canceled: null | number;
            ended: null | number;
            /** @description The worker's next step and its time; both are null while a payment is pending, and after the end. */
            next_due: null | number;
            next_step: ("end" | "trial_notice" | "renew") | null;
            /** @description Failed charges for the upcoming period. */
            tries: number;
            provider: string;
            has_card: boolean;
            rid: string;
            resource: string;
            uid: string;
            /** @description The verified address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
        };
        SubscriptionItem: {
            id: string;
            access_id: string;
            user_ref: string;
            /** @enum {string} */
            status: "canceled" | "trialing" | "active" | "past_due" | "ended";
            price: components["schemas"]["Money"];
            period: string;
            created: number;
            current_period_start: number;
            current_period_end: number;
            /** @description The end of the access that it grants; null for access with no end date. */
            access_ends: null | number;
            trial_ends: null | number;
            canceled: null | number;
            ended: null | number;
            /** @description The worker's next step and its time; both are null while a payment is pending, and after the end. */
            next_due: null | number;
            next_step: ("end" | "trial_notice" | "renew") | null;
            /** @description Failed charges for the upcoming period. */
            tries: number;
            provider: string;
            has_card: boolean;
            rid: string;
            resource: string;
            uid: string;
            /** @description The verified address, or else the one typed at a checkout; empty if there is neither. */
            email: string;
            /** @description First and last name; may be empty. */
            name: string;
        };
        SubscriptionItemPage: {
            data: components["schemas"]["SubscriptionItem"][];
            total: number;
            page: number;
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        Sum: {
            amount: number;
            list: components["schemas"]["ListLink"];
        };
        TimelineItem: {
            at: number;
            /** @enum {string} */
            kind: "expired" | "download" | "mail" | "payment" | "change" | "refund";
            what: string;
            /** @description The records it concerns; most have a page in the app. */
            rid: null | string;
            access_id: null | string;
            payment_id: null | string;
            mail_id: null | string;
            /** @description The name of the resource that a mail is about; null for everything else. */
            about: null | string;
            actor: null | string;
            money: null | components["schemas"]["Money"];
            /** @description The end of the access before and after a change; null if there is none. */
            expires_before: null | number;
            expires: null | number;
            /** @description The parts of a refund, oldest first. */
            steps: components["schemas"]["TimelineItem"][];
        };
        TimelineItemPage: {
            data: components["schemas"]["TimelineItem"][];
            total: number;
            page: number;
            pagesize: number;
            /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
            is_cut: boolean;
        };
        Error: {
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
                range?: "7d" | "30d" | "90d" | "month" | "last_month" | "quarter" | "year";
                first?: string;
                last?: string;
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
                rid?: string;
                tag?: string;
                email?: string;
                user_ref?: string;
                uid?: string;
                show_expired?: boolean;
                state?: "live" | "ending" | "renewing" | "expired" | "unrevoked" | "revoked" | "any";
                sort?: "created" | "-created" | "ends" | "-ends" | "name" | "-name";
                q?: string;
                from?: number;
                to?: number;
                page?: number;
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
                    rid: string;
                    email: string;
                    user_ref?: string;
                    expires?: number | null;
                    message?: string;
                    first_name?: string;
                    last_name?: string;
                    tags?: string;
                    notify?: boolean;
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
                user_ref: string;
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
                    "application/json": {
                        since?: number;
                        until?: number;
                        next_change?: number;
                        via?: string;
                        access_id?: string;
                        rid: string;
                        granted: boolean;
                        offers: unknown[];
                        /** @enum {string} */
                        code: "granted" | "purchased" | "subscribed" | "trial" | "grace" | "canceled" | "never_granted" | "not_started" | "expired" | "revoked" | "refunded" | "dispute_lost" | "unpaid" | "user_unknown";
                        sources: unknown[];
                        now: number;
                        user_ref: string;
                        meaning: string;
                    };
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
                rid?: string;
                tag?: string;
                email?: string;
                user_ref?: string;
                uid?: string;
                show_expired?: boolean;
                state?: "live" | "ending" | "renewing" | "expired" | "unrevoked" | "revoked" | "any";
                sort?: "created" | "-created" | "ends" | "-ends" | "name" | "-name";
                q?: string;
                from?: number;
                to?: number;
                page?: number;
                pagesize?: number;
                form?: "people" | "raw" | "spreadsheet";
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
                    expires: number | null;
                    message?: string;
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
                q?: string;
                sort?: "name" | "-name" | "created" | "-created";
                page?: number;
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
                    "application/json": {
                        data: {
                            live: number;
                            uid: string;
                            /** @description Empty if no email is verified, or the person was erased. */
                            email: string;
                            /** @description Typed at a checkout and unverified: mails are sent to it, but it identifies nobody. */
                            contact_email: string;
                            first_name: string;
                            last_name: string;
                            created: number;
                            erased: null | number;
                        }[];
                        total: number;
                        page: number;
                        pagesize: number;
                        /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
                        is_cut: boolean;
                    };
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
                q?: string;
                sort?: "name" | "-name" | "created" | "-created";
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
                    email?: string;
                    first_name?: string;
                    last_name?: string;
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
                page?: number;
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
                    "application/json": {
                        data: components["schemas"]["Hit"][];
                    };
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
                q?: string;
                archived?: boolean;
                sort?: "name" | "-name" | "created" | "-created";
                page?: number;
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
                    name: string;
                    url?: string;
                    description?: string;
                    image?: string;
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
                    name?: string;
                    url?: string;
                    description?: string;
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
                    rids: string[];
                    prefixes: string[];
                    all: boolean;
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
                    amount: number;
                    currency?: string;
                    recurring?: boolean;
                    period?: string | null;
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
                    "application/json": {
                        id: string;
                        amount: components["schemas"]["MinorMoney"];
                        recurring: boolean;
                        period: null | string;
                        trial_days: number;
                        terms: string;
                        created: number;
                        archived: null | number;
                    };
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
                    "application/json": {
                        id: string;
                        amount: components["schemas"]["MinorMoney"];
                        recurring: boolean;
                        period: null | string;
                        trial_days: number;
                        terms: string;
                        created: number;
                        archived: null | number;
                    };
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
                    "application/json": {
                        id: string;
                        amount: components["schemas"]["MinorMoney"];
                        recurring: boolean;
                        period: null | string;
                        trial_days: number;
                        terms: string;
                        created: number;
                        archived: null | number;
                    };
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
                page?: number;
                pagesize?: number;
                sort?: "created" | "-created" | "ends" | "-ends" | "amount" | "-amount" | "name" | "-name";
                status?: "trialing" | "active" | "past_due" | "canceled" | "ended";
                rid?: string;
                uid?: string;
                moved?: "paid" | "new" | "back" | "left" | "in_trial" | "trial_started" | "trial_converted" | "trial_lost";
                first?: string;
                last?: string;
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
                page?: number;
                pagesize?: number;
                sort?: "created" | "-created" | "ends" | "-ends" | "amount" | "-amount" | "name" | "-name";
                status?: "trialing" | "active" | "past_due" | "canceled" | "ended";
                rid?: string;
                uid?: string;
                moved?: "paid" | "new" | "back" | "left" | "in_trial" | "trial_started" | "trial_converted" | "trial_lost";
                first?: string;
                last?: string;
                q?: string;
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
                page?: number;
                pagesize?: number;
                sort?: "created" | "-created" | "amount" | "-amount" | "name" | "-name";
                status?: "pending" | "succeeded" | "failed" | "partially_refunded" | "refunded" | "disputed" | "lost";
                flag?: "any" | "late" | "duplicate" | "mismatch";
                rid?: string;
                uid?: string;
                from?: number;
                to?: number;
                money?: "taken" | "refunded" | "lost";
                first?: string;
                last?: string;
                currency?: string;
                price?: string;
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
                page?: number;
                pagesize?: number;
                sort?: "created" | "-created" | "amount" | "-amount" | "name" | "-name";
                status?: "pending" | "succeeded" | "failed" | "partially_refunded" | "refunded" | "disputed" | "lost";
                flag?: "any" | "late" | "duplicate" | "mismatch";
                rid?: string;
                uid?: string;
                from?: number;
                to?: number;
                money?: "taken" | "refunded" | "lost";
                first?: string;
                last?: string;
                currency?: string;
                price?: string;
                q?: string;
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
                    amount?: number;
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
                page?: number;
                pagesize?: number;
                published?: boolean;
                rid?: string;
                sort?: "title" | "-title" | "size" | "-size" | "modified" | "-modified";
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
                    "application/json": {
                        removed: boolean;
                    };
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
                    title?: string;
                    description?: string;
                    image?: string;
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
                    "application/json": {
                        ids: string[];
                    };
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
                    lifetime?: number;
                    expiration?: number;
                    user_ref?: string;
                    limit?: number;
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
                name: string;
                title?: string;
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
                page?: number;
                pagesize?: number;
                rid?: string;
                download?: string;
                uid?: string;
                from?: number;
                to?: number;
                sort?: "at" | "-at";
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
                page?: number;
                pagesize?: number;
                status?: "waiting" | "sent" | "kept" | "dead";
                uid?: string;
                from?: number;
                to?: number;
                sort?: "created" | "-created";
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
                    "application/json": {
                        data: {
                            name: string;
                            id: string;
                            uid: string;
                            /** @enum {string} */
                            kind: "canceled" | "refunded" | "grant" | "receipt" | "payment_failed" | "trial_ends" | "address_changed";
                            /** @description Empty if the person was erased. */
                            to: string;
                            /** @description Where it goes if it is resent: the address that the person has now. Empty if the person was erased. */
                            resend_to: string;
                            /** @enum {string} */
                            status: "sent" | "dead" | "kept" | "waiting";
                            attempts: number;
                            created_at: number;
                            /** @description The time of the next attempt; null unless the mail is waiting. */
                            due_at: null | number;
                            sent_at: null | number;
                            last_error: null | string;
                        }[];
                        total: number;
                        page: number;
                        pagesize: number;
                        /** @description Whether more rows match than the search considers. `data` and `total` then cover only the first of them. */
                        is_cut: boolean;
                    };
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
                    "application/json": {
                        queued: number;
                    };
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
                page?: number;
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
                    name?: string;
                    currency?: string;
                    mail_from?: string;
                    mail_template?: string;
                    mail_templates?: {
                        receipt?: string;
                        trial_started?: string;
                        trial_ends?: string;
                        payment_failed?: string;
                        subscription_ended?: string;
                        canceled?: string;
                        refunded?: string;
                        address_changed?: string;
                    };
                    accent?: string;
                    support_email?: string;
                    legal_links?: {
                        terms?: string;
                        privacy?: string;
                        imprint?: string;
                        refunds?: string;
                    };
                    time_zone?: string;
                    seller_name?: string;
                    seller_address?: string;
                    tax_line?: string;
                    return_urls?: string[];
                    grace_days?: number;
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
                    "application/json": {
                        data: components["schemas"]["ApplicationItem"][];
                    };
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
