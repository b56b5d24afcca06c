-- control
aids.aid text collate "C" not null
aids.environment text collate "C" not null
aids: PRIMARY KEY (aid)
CREATE UNIQUE INDEX aids_pkey ON aids USING btree (aid)
application_pairs.production_aid text collate "C" not null
application_pairs.sandbox_aid text collate "C" not null
application_pairs.created_at bigint not null
application_pairs: FOREIGN KEY (production_aid) REFERENCES aids(aid)
application_pairs: FOREIGN KEY (sandbox_aid) REFERENCES aids(aid)
application_pairs: PRIMARY KEY (production_aid)
CREATE UNIQUE INDEX application_pairs_pkey ON application_pairs USING btree (production_aid)
CREATE UNIQUE INDEX application_pairs_sandbox ON application_pairs USING btree (sandbox_aid)
audit.seq bigint not null identity
audit.at bigint not null
audit.staff_id text collate "C"
audit.email text collate "C" not null
audit.environment text collate "C"
audit.aid text collate "C"
audit.action text collate "C" not null
audit.params text collate "C" not null
audit.details text collate "C" not null
audit.outcome text collate "C" not null
audit.token_id text collate "C"
audit.address text collate "C"
audit.agent text collate "C"
audit.session_id text collate "C"
audit.os_user text collate "C"
audit: PRIMARY KEY (seq)
CREATE INDEX audit_action ON audit USING btree (action, seq)
CREATE INDEX audit_aid ON audit USING btree (aid, seq)
CREATE INDEX audit_at ON audit USING btree (at)
CREATE INDEX audit_staff ON audit USING btree (staff_id, seq)
CREATE INDEX audit_token ON audit USING btree (token_id, seq)
CREATE UNIQUE INDEX audit_pkey ON audit USING btree (seq)
key_uses.key_id text collate "C" not null
key_uses.day bigint not null
key_uses: PRIMARY KEY (key_id)
CREATE UNIQUE INDEX key_uses_pkey ON key_uses USING btree (key_id)
management_tokens.id text collate "C" not null
management_tokens.digest text collate "C" not null
management_tokens.start text collate "C" not null
management_tokens.name text collate "C" not null
management_tokens.role text collate "C" not null
management_tokens.aid text collate "C"
management_tokens.made_by text collate "C"
management_tokens.created_at bigint not null
management_tokens.ends_at bigint
management_tokens.used_at bigint
management_tokens.revoked_at bigint
management_tokens.suspended_at bigint
management_tokens: FOREIGN KEY (aid) REFERENCES aids(aid)
management_tokens: FOREIGN KEY (made_by) REFERENCES staff(id)
management_tokens: PRIMARY KEY (id)
CREATE UNIQUE INDEX management_tokens_digest ON management_tokens USING btree (digest)
CREATE UNIQUE INDEX management_tokens_pkey ON management_tokens USING btree (id)
meta.name text collate "C" not null
meta.value text collate "C" not null
meta: PRIMARY KEY (name)
CREATE UNIQUE INDEX meta_pkey ON meta USING btree (name)
migrations.name text collate "default" not null
migrations.applied bigint not null
migrations: PRIMARY KEY (name)
CREATE UNIQUE INDEX migrations_pkey ON migrations USING btree (name)
refused_calls.id text collate "C" not null
refused_calls.aid text collate "C" not null
refused_calls.at bigint not null
refused_calls.method text collate "C" not null
refused_calls.route text collate "C" not null
refused_calls.status bigint not null
refused_calls.reason text collate "C" not null
refused_calls.parameter text collate "C"
refused_calls.key_id text collate "C"
refused_calls: FOREIGN KEY (aid) REFERENCES aids(aid)
refused_calls: PRIMARY KEY (id)
CREATE INDEX refused_calls_aid ON refused_calls USING btree (aid, at DESC, id DESC)
CREATE UNIQUE INDEX refused_calls_pkey ON refused_calls USING btree (id)
saved_views.id text collate "C" not null
saved_views.staff_id text collate "C" not null
saved_views.aid text collate "C" not null
saved_views.list text collate "C" not null
saved_views.name text collate "C" not null
saved_views.search text collate "C" not null
saved_views.is_default bigint not null
saved_views.created_at bigint not null
saved_views: FOREIGN KEY (aid) REFERENCES aids(aid)
saved_views: FOREIGN KEY (staff_id) REFERENCES staff(id)
saved_views: PRIMARY KEY (id)
CREATE INDEX saved_views_aid ON saved_views USING btree (aid)
CREATE UNIQUE INDEX saved_views_default ON saved_views USING btree (staff_id, aid, list) WHERE (is_default = 1)
CREATE UNIQUE INDEX saved_views_name ON saved_views USING btree (staff_id, aid, list, name)
CREATE UNIQUE INDEX saved_views_pkey ON saved_views USING btree (id)
staff.id text collate "C" not null
staff.email text collate "C" not null
staff.email_key text collate "C" not null
staff.name text collate "C" not null
staff.role text collate "C" not null
staff.password text collate "C"
staff.created_at bigint not null
staff.disabled_at bigint
staff.passkey_only bigint not null
staff: PRIMARY KEY (id)
staff: UNIQUE (email_key)
CREATE UNIQUE INDEX staff_email_key_key ON staff USING btree (email_key)
CREATE UNIQUE INDEX staff_pkey ON staff USING btree (id)
staff_challenges.digest text collate "C" not null
staff_challenges.staff_id text collate "C"
staff_challenges.ends_at bigint not null
staff_challenges: FOREIGN KEY (staff_id) REFERENCES staff(id)
staff_challenges: PRIMARY KEY (digest)
CREATE UNIQUE INDEX staff_challenges_pkey ON staff_challenges USING btree (digest)
staff_digests.aid text collate "C" not null
staff_digests.day text collate "C" not null
staff_digests: FOREIGN KEY (aid) REFERENCES aids(aid)
staff_digests: PRIMARY KEY (aid)
CREATE UNIQUE INDEX staff_digests_pkey ON staff_digests USING btree (aid)
staff_links.token_digest text collate "C" not null
staff_links.kind text collate "C" not null
staff_links.email text collate "C"
staff_links.email_key text collate "C"
staff_links.role text collate "C" not null
staff_links.staff_id text collate "C"
staff_links.created_at bigint not null
staff_links.ends_at bigint not null
staff_links.used_at bigint
staff_links.made_by text collate "C"
staff_links.asked_for bigint not null
staff_links: FOREIGN KEY (made_by) REFERENCES staff(id)
staff_links: FOREIGN KEY (staff_id) REFERENCES staff(id)
staff_links: PRIMARY KEY (token_digest)
CREATE UNIQUE INDEX staff_links_pkey ON staff_links USING btree (token_digest)
staff_mails.id text collate "C" not null
staff_mails.key text collate "C" not null
staff_mails.kind text collate "C" not null
staff_mails.staff_id text collate "C"
staff_mails.aid text collate "C"
staff_mails.link_digest text collate "C"
staff_mails.payload text collate "C" not null
staff_mails.status text collate "C" not null
staff_mails.attempts bigint not null
staff_mails.created_at bigint not null
staff_mails.due_at bigint not null
staff_mails.lease_token text collate "C"
staff_mails.lease_until bigint
staff_mails.last_error text collate "C"
staff_mails.sent_at bigint
staff_mails: FOREIGN KEY (aid) REFERENCES aids(aid)
staff_mails: FOREIGN KEY (staff_id) REFERENCES staff(id)
staff_mails: PRIMARY KEY (id)
staff_mails: UNIQUE (key)
CREATE INDEX staff_mails_application ON staff_mails USING btree (aid, kind, created_at)
CREATE INDEX staff_mails_link ON staff_mails USING btree (link_digest) WHERE (link_digest IS NOT NULL)
CREATE INDEX staff_mails_open ON staff_mails USING btree (due_at) WHERE (status = ANY (ARRAY['queued'::text, 'sending'::text]))
CREATE UNIQUE INDEX staff_mails_key_key ON staff_mails USING btree (key)
CREATE UNIQUE INDEX staff_mails_pkey ON staff_mails USING btree (id)
staff_notifications.staff_id text collate "C" not null
staff_notifications.aid text collate "C" not null
staff_notifications.kind text collate "C" not null
staff_notifications.is_on bigint not null
staff_notifications: FOREIGN KEY (aid) REFERENCES aids(aid)
staff_notifications: FOREIGN KEY (staff_id) REFERENCES staff(id)
staff_notifications: PRIMARY KEY (staff_id, aid, kind)
CREATE INDEX staff_notifications_aid ON staff_notifications USING btree (aid)
CREATE UNIQUE INDEX staff_notifications_pkey ON staff_notifications USING btree (staff_id, aid, kind)
staff_passkeys.id text collate "C" not null
staff_passkeys.credential_id text collate "C" not null
staff_passkeys.staff_id text collate "C" not null
staff_passkeys.public_key text collate "C" not null
staff_passkeys.counter bigint not null
staff_passkeys.transports text collate "C" not null
staff_passkeys.name text collate "C" not null
staff_passkeys.created_at bigint not null
staff_passkeys.used_at bigint
staff_passkeys.host text collate "C" not null
staff_passkeys: FOREIGN KEY (staff_id) REFERENCES staff(id)
staff_passkeys: PRIMARY KEY (id)
staff_passkeys: UNIQUE (credential_id)
CREATE INDEX staff_passkeys_staff ON staff_passkeys USING btree (staff_id)
CREATE UNIQUE INDEX staff_passkeys_credential_id_key ON staff_passkeys USING btree (credential_id)
CREATE UNIQUE INDEX staff_passkeys_pkey ON staff_passkeys USING btree (id)
staff_sessions.token_digest text collate "C" not null
staff_sessions.id text collate "C" not null
staff_sessions.staff_id text collate "C" not null
staff_sessions.created_at bigint not null
staff_sessions.seen_at bigint not null
staff_sessions.ends_at bigint not null
staff_sessions.agent text collate "C" not null
staff_sessions.confirmed_at bigint not null
staff_sessions: FOREIGN KEY (staff_id) REFERENCES staff(id)
staff_sessions: PRIMARY KEY (token_digest)
staff_sessions: UNIQUE (id)
CREATE INDEX staff_sessions_staff ON staff_sessions USING btree (staff_id)
CREATE UNIQUE INDEX staff_sessions_id_key ON staff_sessions USING btree (id)
CREATE UNIQUE INDEX staff_sessions_pkey ON staff_sessions USING btree (token_digest)
staff_tries.subject text collate "C" not null
staff_tries.begun_at bigint not null
staff_tries.tries bigint not null
staff_tries: PRIMARY KEY (subject)
CREATE INDEX staff_tries_begun ON staff_tries USING btree (begun_at)
CREATE UNIQUE INDEX staff_tries_pkey ON staff_tries USING btree (subject)
-- production and sandbox
access.id text collate "C" not null
access.aid text collate "C" not null
access.rid text collate "C" not null
access.uid text collate "C" not null
access.user_ref text collate "C"
access.amount bigint not null
access.currency text collate "C"
access.created bigint not null
access.ends bigint not null
access.revoked bigint
access.tags text collate "C" not null
access.end_told bigint
access: FOREIGN KEY (aid, rid) REFERENCES resources(aid, rid)
access: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
access: FOREIGN KEY (aid, user_ref, uid) REFERENCES user_refs(aid, ref, uid) DEFERRABLE INITIALLY DEFERRED
access: PRIMARY KEY (aid, id)
CREATE INDEX access_by_ref ON access USING btree (aid, user_ref, rid) WHERE (revoked IS NULL)
CREATE INDEX access_by_user ON access USING btree (aid, uid, created DESC, id DESC)
CREATE INDEX access_ends ON access USING btree (aid, ends, id) WHERE ((revoked IS NULL) AND (ends >= 0))
CREATE INDEX access_revoked ON access USING btree (aid, revoked DESC, id DESC) WHERE (revoked IS NOT NULL)
CREATE INDEX access_revoked_created ON access USING btree (aid, created DESC, id DESC) WHERE (revoked IS NOT NULL)
CREATE INDEX access_search ON access USING btree (aid, created DESC, id DESC, ends) WHERE (revoked IS NULL)
CREATE INDEX access_search_rid ON access USING btree (aid, rid, created DESC, id DESC, ends) WHERE (revoked IS NULL)
CREATE INDEX access_untold_ends ON access USING btree (aid, ends) WHERE ((revoked IS NULL) AND (ends < '253402300800'::bigint) AND ((end_told IS NULL) OR (end_told <> ends)))
CREATE UNIQUE INDEX access_one_unrevoked ON access USING btree (aid, uid, rid) WHERE (revoked IS NULL)
CREATE UNIQUE INDEX access_pkey ON access USING btree (aid, id)
CREATE TRIGGER access_counted AFTER INSERT ON access FOR EACH ROW WHEN ((new.revoked IS NULL)) EXECUTE FUNCTION access_counted(); begin insert into access_changes (aid, scope, ends, access_id, n) values (new.aid, 'r' || new.rid, new.ends, new.id, 1); return null; end
CREATE TRIGGER access_discounted AFTER DELETE ON access FOR EACH ROW WHEN ((old.revoked IS NULL)) EXECUTE FUNCTION access_discounted(); begin insert into access_changes (aid, scope, ends, access_id, n) select old.aid, 'r' || old.rid, old.ends, old.id, -1 where old.revoked is null union all select t.aid, 't' || t.tag, old.ends, old.id, -1 from access_tags t where t.aid = old.aid and t.access_id = old.id and old.revoked is null; return null; end
CREATE TRIGGER access_recounted AFTER UPDATE OF id, aid, rid, ends, revoked ON access FOR EACH ROW WHEN (((old.id <> new.id) OR (old.aid <> new.aid) OR (old.rid <> new.rid) OR (old.ends <> new.ends) OR ((old.revoked IS NULL) <> (new.revoked IS NULL)))) EXECUTE FUNCTION access_recounted(); begin insert into access_changes (aid, scope, ends, access_id, n) select old.aid, 'r' || old.rid, old.ends, old.id, -1 where old.revoked is null union all select t.aid, 't' || t.tag, old.ends, old.id, -1 from access_tags t where t.aid = old.aid and t.access_id = old.id and old.revoked is null union all select new.aid, 'r' || new.rid, new.ends, new.id, 1 where new.revoked is null union all select t.aid, 't' || t.tag, new.ends, new.id, 1 from access_tags t where t.aid = new.aid and t.access_id = new.id and new.revoked is null; return null; end
access_changes.aid text collate "C" not null
access_changes.scope text collate "C" not null
access_changes.id text collate "C" not null
access_changes.ends bigint not null
access_changes.access_id text collate "C" not null
access_changes.n bigint not null
access_changes: PRIMARY KEY (aid, scope, id)
CREATE UNIQUE INDEX access_changes_pkey ON access_changes USING btree (aid, scope, id)
access_counts.aid text collate "C" not null
access_counts.scope text collate "C" not null
access_counts.all_n bigint not null
access_counts.live_n bigint not null
access_counts: PRIMARY KEY (aid, scope)
CREATE INDEX access_counts_empty ON access_counts USING btree (aid) WHERE (all_n = 0)
CREATE UNIQUE INDEX access_counts_pkey ON access_counts USING btree (aid, scope)
access_tags.aid text collate "C" not null
access_tags.tag text collate "C" not null
access_tags.access_id text collate "C" not null
access_tags.created bigint not null
access_tags: FOREIGN KEY (aid, access_id) REFERENCES access(aid, id)
access_tags: PRIMARY KEY (aid, tag, access_id)
CREATE INDEX access_tags_access ON access_tags USING btree (aid, access_id, tag)
CREATE INDEX access_tags_search ON access_tags USING btree (aid, tag, created DESC, access_id DESC)
CREATE UNIQUE INDEX access_tags_pkey ON access_tags USING btree (aid, tag, access_id)
CREATE TRIGGER access_tags_counted AFTER INSERT ON access_tags FOR EACH ROW WHEN (true) EXECUTE FUNCTION access_tags_counted(); begin insert into access_changes (aid, scope, ends, access_id, n) select a.aid, 't' || new.tag, a.ends, a.id, 1 from access a where a.aid = new.aid and a.id = new.access_id and a.revoked is null; return null; end
CREATE TRIGGER access_tags_dated BEFORE INSERT ON access_tags FOR EACH ROW EXECUTE FUNCTION access_tags_dated(); begin new.created := coalesce((select a.created from access a where a.aid = new.aid and a.id = new.access_id), 0); return new; end
CREATE TRIGGER access_tags_discounted AFTER DELETE ON access_tags FOR EACH ROW WHEN (true) EXECUTE FUNCTION access_tags_discounted(); begin insert into access_changes (aid, scope, ends, access_id, n) select a.aid, 't' || old.tag, a.ends, a.id, -1 from access a where a.aid = old.aid and a.id = old.access_id and a.revoked is null; return null; end
CREATE TRIGGER access_tags_recounted AFTER UPDATE OF aid, tag, access_id ON access_tags FOR EACH ROW WHEN (true) EXECUTE FUNCTION access_tags_recounted(); begin insert into access_changes (aid, scope, ends, access_id, n) select a.aid, 't' || old.tag, a.ends, a.id, -1 from access a where a.aid = old.aid and a.id = old.access_id and a.revoked is null union all select a.aid, 't' || new.tag, a.ends, a.id, 1 from access a where a.aid = new.aid and a.id = new.access_id and a.revoked is null; return null; end
access_watermarks.aid text collate "C" not null
access_watermarks.ends bigint not null
access_watermarks.access_id text collate "C" not null
access_watermarks: PRIMARY KEY (aid)
CREATE UNIQUE INDEX access_watermarks_pkey ON access_watermarks USING btree (aid)
application_keys.id text collate "C" not null
application_keys.aid text collate "C" not null
application_keys.sealed text collate "C" not null
application_keys.created bigint not null
application_keys.dies bigint
application_keys: FOREIGN KEY (aid) REFERENCES applications(aid)
application_keys: PRIMARY KEY (aid, id)
CREATE UNIQUE INDEX application_keys_pkey ON application_keys USING btree (aid, id)
applications.aid text collate "C" not null
applications.name text collate "C" not null
applications.currency text collate "C" not null
applications.mail_from text collate "C"
applications.mail_template text collate "C"
applications.created bigint not null
applications.archived bigint
applications.seller_name text collate "C"
applications.seller_address text collate "C"
applications.tax_line text collate "C"
applications.return_urls text collate "C" not null
applications.grace_days bigint not null
applications.logo_id text collate "C"
applications.accent text collate "C"
applications.support_email text collate "C"
applications.legal_links text collate "C" not null
applications.mail_templates text collate "C" not null
applications.time_zone text collate "C" not null
applications.require_ts bigint not null
applications: PRIMARY KEY (aid)
CREATE UNIQUE INDEX applications_pkey ON applications USING btree (aid)
checkouts.id text collate "C" not null
checkouts.aid text collate "C" not null
checkouts.rid text collate "C" not null
checkouts.purpose text collate "C" not null
checkouts.resource_name text collate "C"
checkouts.resource_url text collate "C"
checkouts.amount bigint not null
checkouts.currency text collate "C" not null
checkouts.recurring bigint not null
checkouts.period text collate "C"
checkouts.trial_days bigint not null
checkouts.user_ref text collate "C"
checkouts.vouched_email text collate "C"
checkouts.typed_email text collate "C"
checkouts.first_name text collate "C" not null
checkouts.last_name text collate "C" not null
checkouts.return_url text collate "C"
checkouts.key_mark text collate "C"
checkouts.link_mark text collate "C"
checkouts.subscription_id text collate "C"
checkouts.uid text collate "C"
checkouts.payment_id text collate "C" not null
checkouts.provider text collate "C" not null
checkouts.provider_ref text collate "C"
checkouts.status text collate "C" not null
checkouts.created bigint not null
checkouts.expires bigint not null
checkouts.paid bigint
checkouts.due bigint
checkouts.refusal text collate "C"
checkouts.page_ends bigint
checkouts.link_number bigint not null
checkouts: FOREIGN KEY (aid) REFERENCES applications(aid)
checkouts: PRIMARY KEY (aid, id)
checkouts: UNIQUE (aid, payment_id)
CREATE INDEX checkouts_by_user ON checkouts USING btree (aid, uid) WHERE (uid IS NOT NULL)
CREATE INDEX checkouts_closing ON checkouts USING btree (aid, due) WHERE ((status = 'expired'::text) AND (due IS NOT NULL))
CREATE INDEX checkouts_due ON checkouts USING btree (aid, due) WHERE (status = 'open'::text)
CREATE INDEX checkouts_expired ON checkouts USING btree (aid, expires) WHERE (status = 'expired'::text)
CREATE INDEX checkouts_unpaid_ref ON checkouts USING btree (aid, user_ref) WHERE ((status <> 'paid'::text) AND (user_ref IS NOT NULL))
CREATE INDEX checkouts_unpaid_subscription ON checkouts USING btree (aid, subscription_id) WHERE ((status <> 'paid'::text) AND (subscription_id IS NOT NULL))
CREATE INDEX checkouts_unpaid_typed ON checkouts USING btree (aid, (
CASE
    WHEN (ltrim(lower(typed_email), 'abcdefghijklmnopqrstuvwxyz0123456789@._+-'::text) = ''::text) THEN lower(typed_email)
    ELSE ''::text
END)) WHERE ((status <> 'paid'::text) AND (typed_email IS NOT NULL))
CREATE INDEX checkouts_unpaid_vouched ON checkouts USING btree (aid, (
CASE
    WHEN (ltrim(lower(vouched_email), 'abcdefghijklmnopqrstuvwxyz0123456789@._+-'::text) = ''::text) THEN lower(vouched_email)
    ELSE ''::text
END)) WHERE ((status <> 'paid'::text) AND (vouched_email IS NOT NULL))
CREATE UNIQUE INDEX checkouts_one_per_link ON checkouts USING btree (aid, link_mark) WHERE ((status = 'paid'::text) AND (link_mark IS NOT NULL) AND ((refusal IS NULL) OR (refusal <> 'trial_used'::text)))
CREATE UNIQUE INDEX checkouts_payment_id_key ON checkouts USING btree (aid, payment_id)
CREATE UNIQUE INDEX checkouts_pkey ON checkouts USING btree (aid, id)
deliveries.id text collate "C" not null
deliveries.aid text collate "C" not null
deliveries.rid text collate "C" not null
deliveries.download_id text collate "C" not null
deliveries.link text collate "C" not null
deliveries.uid text collate "C"
deliveries.at bigint not null
deliveries.answers bigint not null
deliveries.bytes bigint not null
deliveries.outcome text collate "C" not null
deliveries: FOREIGN KEY (aid, rid) REFERENCES resources(aid, rid)
deliveries: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
deliveries: PRIMARY KEY (aid, id)
CREATE INDEX deliveries_by_user ON deliveries USING btree (aid, uid, at DESC, id) WHERE (uid IS NOT NULL)
CREATE INDEX deliveries_search ON deliveries USING btree (aid, at DESC, id)
CREATE INDEX deliveries_search_rid ON deliveries USING btree (aid, rid, at DESC, id)
CREATE UNIQUE INDEX deliveries_pkey ON deliveries USING btree (aid, id)
download_uses.link text collate "C" not null
download_uses.number bigint not null
download_uses.most bigint not null
download_uses.aid text collate "C" not null
download_uses.opened bigint not null
download_uses.ends bigint not null
download_uses: FOREIGN KEY (aid) REFERENCES applications(aid)
download_uses: PRIMARY KEY (aid, link, number)
CREATE INDEX download_uses_ends ON download_uses USING btree (aid, ends)
CREATE UNIQUE INDEX download_uses_pkey ON download_uses USING btree (aid, link, number)
downloads.id text collate "C" not null
downloads.aid text collate "C" not null
downloads.rid text collate "C" not null
downloads.title text collate "C" not null
downloads.description text collate "C" not null
downloads.image text collate "C" not null
downloads.file_id text collate "C" not null
downloads.file_name text collate "C" not null
downloads.type text collate "C" not null
downloads.filed bigint not null
downloads.created bigint not null
downloads.modified bigint not null
downloads.published bigint
downloads.image_id text collate "C"
downloads.position bigint not null
downloads: FOREIGN KEY (aid, file_id) REFERENCES files(aid, id)
downloads: FOREIGN KEY (aid, rid) REFERENCES resources(aid, rid)
downloads: PRIMARY KEY (aid, id)
downloads: UNIQUE (aid, file_id)
CREATE INDEX downloads_by_resource ON downloads USING btree (aid, rid, "position", id)
CREATE UNIQUE INDEX downloads_file_id_key ON downloads USING btree (aid, file_id)
CREATE UNIQUE INDEX downloads_pkey ON downloads USING btree (aid, id)
erasures.aid text collate "C" not null
erasures.uid text collate "C" not null
erasures.created bigint not null
erasures.due bigint not null
erasures.attempts bigint not null
erasures.scrubbed bigint not null
erasures: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
erasures: PRIMARY KEY (aid, uid)
CREATE INDEX erasures_due ON erasures USING btree (aid, due)
CREATE UNIQUE INDEX erasures_pkey ON erasures USING btree (aid, uid)
event_counters.aid text collate "C" not null
event_counters.position bigint not null
event_counters.swept bigint not null
event_counters: FOREIGN KEY (aid) REFERENCES applications(aid)
event_counters: PRIMARY KEY (aid)
CREATE UNIQUE INDEX event_counters_pkey ON event_counters USING btree (aid)
event_sequences.aid text collate "C" not null
event_sequences.uid text collate "C" not null
event_sequences.sequence bigint not null
event_sequences.silent_at bigint
event_sequences: FOREIGN KEY (aid) REFERENCES applications(aid)
event_sequences: PRIMARY KEY (aid, uid)
CREATE UNIQUE INDEX event_sequences_pkey ON event_sequences USING btree (aid, uid)
events.aid text collate "C" not null
events.id text collate "C" not null
events.position bigint
events.uid text collate "C"
events.sequence bigint
events.type text collate "C" not null
events.at bigint not null
events.created bigint not null
events.body text collate "C" not null
events: FOREIGN KEY (aid) REFERENCES applications(aid)
events: PRIMARY KEY (aid, id)
events: UNIQUE (aid, "position")
CREATE UNIQUE INDEX events_aid_position_key ON events USING btree (aid, "position")
CREATE UNIQUE INDEX events_of_reader ON events USING btree (aid, uid, sequence)
CREATE UNIQUE INDEX events_pkey ON events USING btree (aid, id)
files.id text collate "C" not null
files.store text collate "C" not null
files.sha256 text collate "C"
files.size bigint
files.created bigint not null
files.dropped bigint
files.aid text collate "C" not null
files: FOREIGN KEY (aid) REFERENCES applications(aid)
files: PRIMARY KEY (aid, id)
CREATE INDEX files_by_content ON files USING btree (sha256) WHERE (sha256 IS NOT NULL)
CREATE INDEX files_dropped ON files USING btree (aid, dropped) WHERE (dropped IS NOT NULL)
CREATE UNIQUE INDEX files_pkey ON files USING btree (aid, id)
former_addresses.aid text collate "C" not null
former_addresses.email_key text collate "C" not null
former_addresses.email text collate "C" not null
former_addresses.uid text collate "C" not null
former_addresses: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
former_addresses: PRIMARY KEY (aid, email_key)
CREATE INDEX former_addresses_by_user ON former_addresses USING btree (aid, uid)
CREATE UNIQUE INDEX former_addresses_pkey ON former_addresses USING btree (aid, email_key)
handled_requests.aid text collate "C" not null
handled_requests.digest text collate "C" not null
handled_requests.kind text collate "C" not null
handled_requests.content text collate "C" not null
handled_requests.uid text collate "C"
handled_requests.status bigint
handled_requests.body text collate "C"
handled_requests.lease_until bigint
handled_requests.ends bigint not null
handled_requests: FOREIGN KEY (aid) REFERENCES applications(aid)
handled_requests: PRIMARY KEY (aid, digest)
CREATE INDEX handled_requests_by_end ON handled_requests USING btree (aid, ends)
CREATE INDEX handled_requests_by_user ON handled_requests USING btree (aid, uid) WHERE (uid IS NOT NULL)
CREATE UNIQUE INDEX handled_requests_pkey ON handled_requests USING btree (aid, digest)
history.seq bigint not null
history.aid text collate "C" not null
history.uid text collate "C"
history.rid text collate "C"
history.access_id text collate "C"
history.at bigint not null
history.actor text collate "C" not null
history.action text collate "C" not null
history.before text collate "C"
history.after text collate "C"
history.mail_key text collate "C"
history.tie_breaker text collate "C" not null
history: PRIMARY KEY (aid, seq, tie_breaker)
CREATE INDEX history_access ON history USING btree (aid, access_id, seq)
CREATE INDEX history_user ON history USING btree (aid, uid, seq)
CREATE UNIQUE INDEX history_pkey ON history USING btree (aid, seq, tie_breaker)
images.aid text collate "C" not null
images.id text collate "C" not null
images.type text collate "C" not null
images.width bigint not null
images.height bigint not null
images.sizes text collate "C" not null
images.created bigint not null
images: FOREIGN KEY (aid) REFERENCES applications(aid)
images: PRIMARY KEY (aid, id)
CREATE UNIQUE INDEX images_pkey ON images USING btree (aid, id)
link_keys.version bigint not null
link_keys.created bigint not null
link_keys.ends bigint
CREATE UNIQUE INDEX link_keys_version ON link_keys USING btree (version)
meta.name text collate "C" not null
meta.value text collate "C" not null
meta: PRIMARY KEY (name)
CREATE UNIQUE INDEX meta_pkey ON meta USING btree (name)
migrations.name text collate "default" not null
migrations.applied bigint not null
migrations: PRIMARY KEY (name)
CREATE UNIQUE INDEX migrations_pkey ON migrations USING btree (name)
notes.aid text collate "C" not null
notes.id text collate "C" not null
notes.uid text collate "C" not null
notes.text text collate "C" not null
notes.actor text collate "C" not null
notes.created bigint not null
notes.changed bigint
notes.changed_by text collate "C"
notes: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
notes: PRIMARY KEY (aid, id)
CREATE INDEX notes_by_user ON notes USING btree (aid, uid, created DESC, id)
CREATE UNIQUE INDEX notes_pkey ON notes USING btree (aid, id)
notices.aid text collate "C" not null
notices.id text collate "C" not null
notices.kind text collate "C" not null
notices.event text collate "C" not null
notices.rid text collate "C" not null
notices.subject_id text collate "C" not null
notices.amount bigint not null
notices.currency text collate "C" not null
notices.at bigint not null
notices.created bigint not null
notices.bundle text collate "C"
notices: FOREIGN KEY (aid) REFERENCES applications(aid)
notices: PRIMARY KEY (aid, id)
CREATE INDEX notices_by_kind ON notices USING btree (aid, kind, created)
CREATE UNIQUE INDEX notices_pkey ON notices USING btree (aid, id)
outbox.id text collate "C" not null
outbox.key text collate "C" not null
outbox.aid text collate "C" not null
outbox.uid text collate "C" not null
outbox.kind text collate "C" not null
outbox.recipient text collate "C" not null
outbox.payload text collate "C" not null
outbox.status text collate "C" not null
outbox.attempts bigint not null
outbox.created bigint not null
outbox.due bigint not null
outbox.lease_token text collate "C"
outbox.lease_until bigint
outbox.last_error text collate "C"
outbox.sent bigint
outbox.clock_offset bigint not null
outbox.priority bigint not null
outbox.link_number bigint not null
outbox: PRIMARY KEY (aid, id)
outbox: UNIQUE (aid, key)
CREATE INDEX outbox_due ON outbox USING btree (aid, priority, due) WHERE (status = ANY (ARRAY['queued'::text, 'sending'::text]))
CREATE INDEX outbox_given_up ON outbox USING btree (aid, status, created DESC, id) WHERE ((status = 'dead'::text) AND (recipient <> ''::text))
CREATE INDEX outbox_newest ON outbox USING btree (aid, created DESC, id)
CREATE INDEX outbox_recipient ON outbox USING btree (aid, lower(recipient))
CREATE INDEX outbox_user ON outbox USING btree (aid, uid)
CREATE UNIQUE INDEX outbox_key_key ON outbox USING btree (aid, key)
CREATE UNIQUE INDEX outbox_pkey ON outbox USING btree (aid, id)
pass_entries.aid text collate "C" not null
pass_entries.size bigint not null
pass_entries.value text collate "C" not null
pass_entries.pass text collate "C" not null
pass_entries: FOREIGN KEY (aid, pass) REFERENCES resources(aid, rid)
pass_entries: PRIMARY KEY (aid, size, value, pass)
CREATE INDEX pass_entries_by_pass ON pass_entries USING btree (aid, pass, size, value)
CREATE UNIQUE INDEX pass_entries_pkey ON pass_entries USING btree (aid, size, value, pass)
payments.id text collate "C" not null
payments.aid text collate "C" not null
payments.rid text collate "C" not null
payments.uid text collate "C" not null
payments.access_id text collate "C"
payments.subscription_id text collate "C"
payments.checkout_id text collate "C"
payments.period_start bigint
payments.period_end bigint
payments.amount bigint not null
payments.refunded bigint not null
payments.currency text collate "C" not null
payments.provider text collate "C" not null
payments.provider_ref text collate "C"
payments.method text collate "C"
payments.status text collate "C" not null
payments.flag text collate "C"
payments.failure text collate "C"
payments.created bigint not null
payments.settled bigint
payments.attempts bigint not null
payments.due bigint
payments.lease_until bigint
payments.lost bigint
payments.refusals bigint not null
payments.last_error text collate "C"
payments.deadline bigint
payments.lost_amount bigint not null
payments.disputed_amount bigint not null
payments.refundable_in_dispute bigint not null
payments.access_left bigint
payments: FOREIGN KEY (aid, access_id) REFERENCES access(aid, id)
payments: FOREIGN KEY (aid, rid) REFERENCES resources(aid, rid)
payments: FOREIGN KEY (aid, subscription_id) REFERENCES subscriptions(aid, id)
payments: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
payments: PRIMARY KEY (aid, id)
CREATE INDEX payments_by_access ON payments USING btree (aid, access_id) WHERE (access_id IS NOT NULL)
CREATE INDEX payments_by_amount ON payments USING btree (aid, currency, amount, id)
CREATE INDEX payments_by_subscription ON payments USING btree (aid, subscription_id, created) WHERE (subscription_id IS NOT NULL)
CREATE INDEX payments_by_user ON payments USING btree (aid, uid, created DESC, id DESC)
CREATE INDEX payments_disputed ON payments USING btree (aid, created DESC, id DESC) WHERE (status = ANY (ARRAY['disputed'::text, 'lost'::text]))
CREATE INDEX payments_due ON payments USING btree (aid, due) WHERE (status = 'pending'::text)
CREATE INDEX payments_flagged ON payments USING btree (aid, created DESC, id DESC) WHERE (flag IS NOT NULL)
CREATE INDEX payments_lost ON payments USING btree (aid, lost) WHERE (lost IS NOT NULL)
CREATE INDEX payments_search ON payments USING btree (aid, created DESC, id DESC)
CREATE INDEX payments_search_rid ON payments USING btree (aid, rid, created DESC, id DESC)
CREATE INDEX payments_taken ON payments USING btree (aid, settled DESC, id, currency, rid, amount) WHERE (status <> ALL (ARRAY['pending'::text, 'failed'::text]))
CREATE UNIQUE INDEX payments_checkout ON payments USING btree (aid, checkout_id) WHERE (checkout_id IS NOT NULL)
CREATE UNIQUE INDEX payments_one_per_period ON payments USING btree (aid, subscription_id, period_start) WHERE ((status <> 'failed'::text) AND (flag IS NULL) AND (subscription_id IS NOT NULL))
CREATE UNIQUE INDEX payments_pkey ON payments USING btree (aid, id)
CREATE UNIQUE INDEX payments_provider_ref ON payments USING btree (aid, provider_ref, provider) WHERE (provider_ref IS NOT NULL)
CREATE TRIGGER payments_summed AFTER INSERT ON payments FOR EACH ROW WHEN ((new.status <> ALL (ARRAY['pending'::text, 'failed'::text]))) EXECUTE FUNCTION payments_summed(); begin insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost) select new.aid, new.currency, new.rid, coalesce(new.settled, new.created), 1 * new.amount, 1, 0, 0 where new.status not in ('pending', 'failed') union all select new.aid, new.currency, new.rid, coalesce(new.lost, new.settled, new.created), 0, 0, 0, 1 * case when new.lost_amount > new.amount - new.refunded then new.amount - new.refunded else new.lost_amount end where new.lost_amount > 0; return null; end
CREATE TRIGGER payments_summed_again AFTER UPDATE OF status, amount, refunded, settled, lost, lost_amount ON payments FOR EACH ROW WHEN (((old.status <> new.status) OR (COALESCE(old.amount, ('-1'::integer)::bigint) <> COALESCE(new.amount, ('-1'::integer)::bigint)) OR (COALESCE(old.refunded, ('-1'::integer)::bigint) <> COALESCE(new.refunded, ('-1'::integer)::bigint)) OR (COALESCE(old.settled, ('-1'::integer)::bigint) <> COALESCE(new.settled, ('-1'::integer)::bigint)) OR (COALESCE(old.lost, ('-1'::integer)::bigint) <> COALESCE(new.lost, ('-1'::integer)::bigint)) OR (COALESCE(old.lost_amount, ('-1'::integer)::bigint) <> COALESCE(new.lost_amount, ('-1'::integer)::bigint)))) EXECUTE FUNCTION payments_summed_again(); begin insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost) select old.aid, old.currency, old.rid, coalesce(old.settled, old.created), -1 * old.amount, -1, 0, 0 where old.status not in ('pending', 'failed') union all select old.aid, old.currency, old.rid, coalesce(old.lost, old.settled, old.created), 0, 0, 0, -1 * case when old.lost_amount > old.amount - old.refunded then old.amount - old.refunded else old.lost_amount end where old.lost_amount > 0 union all select new.aid, new.currency, new.rid, coalesce(new.settled, new.created), 1 * new.amount, 1, 0, 0 where new.status not in ('pending', 'failed') union all select new.aid, new.currency, new.rid, coalesce(new.lost, new.settled, new.created), 0, 0, 0, 1 * case when new.lost_amount > new.amount - new.refunded then new.amount - new.refunded else new.lost_amount end where new.lost_amount > 0; return null; end
prices.id text collate "C" not null
prices.aid text collate "C" not null
prices.rid text collate "C" not null
prices.amount bigint not null
prices.currency text collate "C" not null
prices.recurring bigint not null
prices.period text collate "C"
prices.trial_days bigint not null
prices.created bigint not null
prices.archived bigint
prices: FOREIGN KEY (aid, rid) REFERENCES resources(aid, rid)
prices: PRIMARY KEY (aid, id)
CREATE INDEX prices_resource ON prices USING btree (aid, rid, created)
CREATE UNIQUE INDEX prices_pkey ON prices USING btree (aid, id)
provider_calls.day bigint not null
provider_calls.reads bigint not null
provider_calls.writes bigint not null
CREATE UNIQUE INDEX provider_calls_day ON provider_calls USING btree (day)
provider_refs.provider text collate "C" not null
provider_refs.ref text collate "C" not null
provider_refs.aid text collate "C" not null
provider_refs.payment_id text collate "C" not null
provider_refs: FOREIGN KEY (aid) REFERENCES applications(aid)
provider_refs: PRIMARY KEY (provider, ref)
CREATE UNIQUE INDEX provider_refs_pkey ON provider_refs USING btree (provider, ref)
reconciliation_findings.id text collate "C" not null
reconciliation_findings.kind text collate "C" not null
reconciliation_findings.subject text collate "C" not null
reconciliation_findings.message text collate "C" not null
reconciliation_findings.aid text collate "C"
reconciliation_findings.payment_id text collate "C"
reconciliation_findings.provider_ref text collate "C"
reconciliation_findings.amount bigint
reconciliation_findings.currency text collate "C"
reconciliation_findings.at bigint not null
reconciliation_findings.found bigint not null
reconciliation_findings.dismissed bigint
reconciliation_findings: PRIMARY KEY (id)
reconciliation_findings: UNIQUE (kind, subject)
CREATE UNIQUE INDEX reconciliation_findings_kind_subject_key ON reconciliation_findings USING btree (kind, subject)
CREATE UNIQUE INDEX reconciliation_findings_pkey ON reconciliation_findings USING btree (id)
refunds.id text collate "C" not null
refunds.aid text collate "C" not null
refunds.payment_id text collate "C" not null
refunds.amount bigint not null
refunds.currency text collate "C" not null
refunds.status text collate "C" not null
refunds.reason text collate "C"
refunds.reference text collate "C"
refunds.actor text collate "C" not null
refunds.created bigint not null
refunds.settled bigint
refunds.provider_ref text collate "C"
refunds.attempts bigint not null
refunds.due bigint
refunds.lease_until bigint
refunds.last_error text collate "C"
refunds.refusals bigint not null
refunds: FOREIGN KEY (aid, payment_id) REFERENCES payments(aid, id)
refunds: PRIMARY KEY (aid, id)
refunds: UNIQUE (aid, payment_id, reference)
CREATE INDEX refunds_due ON refunds USING btree (aid, due) WHERE (status = 'pending'::text)
CREATE INDEX refunds_payment ON refunds USING btree (aid, payment_id, created)
CREATE INDEX refunds_search ON refunds USING btree (aid, created DESC, id)
CREATE INDEX refunds_settled ON refunds USING btree (aid, settled) WHERE (status = 'succeeded'::text)
CREATE UNIQUE INDEX refunds_aid_payment_id_reference_key ON refunds USING btree (aid, payment_id, reference)
CREATE UNIQUE INDEX refunds_pkey ON refunds USING btree (aid, id)
CREATE TRIGGER refunds_summed AFTER INSERT ON refunds FOR EACH ROW WHEN ((new.status = 'succeeded'::text)) EXECUTE FUNCTION refunds_summed(); begin insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost) select p.aid, p.currency, p.rid, coalesce(new.settled, new.created), 0, 0, 1 * new.amount, 0 from payments p where p.aid = new.aid and p.id = new.payment_id and new.status = 'succeeded'; return null; end
CREATE TRIGGER refunds_summed_again AFTER UPDATE OF status, amount, settled ON refunds FOR EACH ROW WHEN (((old.status <> new.status) OR (COALESCE(old.amount, ('-1'::integer)::bigint) <> COALESCE(new.amount, ('-1'::integer)::bigint)) OR (COALESCE(old.settled, ('-1'::integer)::bigint) <> COALESCE(new.settled, ('-1'::integer)::bigint)))) EXECUTE FUNCTION refunds_summed_again(); begin insert into revenue_changes (aid, currency, rid, at, taken, sales, refunded, lost) select p.aid, p.currency, p.rid, coalesce(old.settled, old.created), 0, 0, -1 * old.amount, 0 from payments p where p.aid = old.aid and p.id = old.payment_id and old.status = 'succeeded' union all select p.aid, p.currency, p.rid, coalesce(new.settled, new.created), 0, 0, 1 * new.amount, 0 from payments p where p.aid = new.aid and p.id = new.payment_id and new.status = 'succeeded'; return null; end
refused_checks.aid text collate "C" not null
refused_checks.uid text collate "C" not null
refused_checks.rid text collate "C" not null
refused_checks.code text collate "C" not null
refused_checks.since bigint
refused_checks.via text collate "C"
refused_checks.first_at bigint not null
refused_checks.last_at bigint not null
refused_checks.times bigint not null
refused_checks: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
refused_checks: PRIMARY KEY (aid, uid, rid, code)
CREATE INDEX refused_checks_by_time ON refused_checks USING btree (aid, last_at)
CREATE UNIQUE INDEX refused_checks_pkey ON refused_checks USING btree (aid, uid, rid, code)
resources.aid text collate "C" not null
resources.rid text collate "C" not null
resources.name text collate "C" not null
resources.url text collate "C" not null
resources.created bigint not null
resources.description text collate "C" not null
resources.image text collate "C" not null
resources.archived bigint
resources.image_id text collate "C"
resources: FOREIGN KEY (aid) REFERENCES applications(aid)
resources: PRIMARY KEY (aid, rid)
CREATE UNIQUE INDEX resources_pkey ON resources USING btree (aid, rid)
revenue_changes.aid text collate "C" not null
revenue_changes.id text collate "C" not null
revenue_changes.currency text collate "C" not null
revenue_changes.rid text collate "C" not null
revenue_changes.at bigint not null
revenue_changes.taken bigint not null
revenue_changes.sales bigint not null
revenue_changes.refunded bigint not null
revenue_changes.lost bigint not null
revenue_changes: PRIMARY KEY (aid, id)
CREATE UNIQUE INDEX revenue_changes_pkey ON revenue_changes USING btree (aid, id)
revenue_totals.aid text collate "C" not null
revenue_totals.currency text collate "C" not null
revenue_totals.size bigint not null
revenue_totals.at bigint not null
revenue_totals.rid text collate "C" not null
revenue_totals.taken bigint not null
revenue_totals.sales bigint not null
revenue_totals.refunded bigint not null
revenue_totals.lost bigint not null
revenue_totals: PRIMARY KEY (aid, currency, size, at, rid)
CREATE UNIQUE INDEX revenue_totals_pkey ON revenue_totals USING btree (aid, currency, size, at, rid)
secrets.name text collate "C" not null
secrets.sealed text collate "C" not null
secrets: PRIMARY KEY (name)
CREATE UNIQUE INDEX secrets_pkey ON secrets USING btree (name)
sources.id text collate "C" not null
sources.aid text collate "C" not null
sources.access_id text collate "C" not null
sources.kind text collate "C" not null
sources.created bigint not null
sources.ends bigint not null
sources.closed bigint
sources.revision bigint not null
sources.message_digest text collate "C" not null
sources.notified bigint not null
sources.starts bigint
sources.period text collate "C"
sources.payment_id text collate "C"
sources.subscription_id text collate "C"
sources.remaining bigint
sources: FOREIGN KEY (aid, access_id) REFERENCES access(aid, id)
sources: PRIMARY KEY (aid, id)
CREATE INDEX sources_access ON sources USING btree (aid, access_id)
CREATE UNIQUE INDEX sources_one_open_grant ON sources USING btree (aid, access_id) WHERE ((kind = 'grant'::text) AND (closed IS NULL))
CREATE UNIQUE INDEX sources_payment ON sources USING btree (aid, payment_id) WHERE (payment_id IS NOT NULL)
CREATE UNIQUE INDEX sources_pkey ON sources USING btree (aid, id)
CREATE UNIQUE INDEX sources_subscription ON sources USING btree (aid, subscription_id) WHERE (subscription_id IS NOT NULL)
subscriptions.id text collate "C" not null
subscriptions.aid text collate "C" not null
subscriptions.rid text collate "C" not null
subscriptions.uid text collate "C" not null
subscriptions.access_id text collate "C" not null
subscriptions.amount bigint not null
subscriptions.currency text collate "C" not null
subscriptions.period text collate "C" not null
subscriptions.status text collate "C" not null
subscriptions.created bigint not null
subscriptions.trial_ends bigint
subscriptions.anchor bigint not null
subscriptions.periods bigint not null
subscriptions.current_period_start bigint not null
subscriptions.current_period_end bigint not null
subscriptions.canceled bigint
subscriptions.ended bigint
subscriptions.next_due bigint
subscriptions.next_step text collate "C"
subscriptions.tries bigint not null
subscriptions.provider text collate "C" not null
subscriptions.method text collate "C"
subscriptions: FOREIGN KEY (aid, access_id) REFERENCES access(aid, id)
subscriptions: FOREIGN KEY (aid, rid) REFERENCES resources(aid, rid)
subscriptions: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
subscriptions: PRIMARY KEY (aid, id)
CREATE INDEX subscriptions_by_access ON subscriptions USING btree (aid, access_id)
CREATE INDEX subscriptions_by_amount ON subscriptions USING btree (aid, currency, amount, id)
CREATE INDEX subscriptions_by_period_end ON subscriptions USING btree (aid, current_period_end, id)
CREATE INDEX subscriptions_by_user ON subscriptions USING btree (aid, uid, created DESC, id DESC)
CREATE INDEX subscriptions_due ON subscriptions USING btree (aid, next_due) WHERE (next_due IS NOT NULL)
CREATE INDEX subscriptions_ended ON subscriptions USING btree (aid, ended DESC, id) WHERE (ended IS NOT NULL)
CREATE INDEX subscriptions_of_reader ON subscriptions USING btree (aid, uid, rid, created, trial_ends, periods, ended, id, currency, period, amount)
CREATE INDEX subscriptions_past_due ON subscriptions USING btree (aid, created DESC, id DESC) WHERE (status = 'past_due'::text)
CREATE INDEX subscriptions_priced ON subscriptions USING btree (aid, currency, period, amount, created, trial_ends, periods, ended)
CREATE INDEX subscriptions_renewing ON subscriptions USING btree (aid, access_id) WHERE ((status = ANY (ARRAY['trialing'::text, 'active'::text])) AND (method IS NOT NULL))
CREATE INDEX subscriptions_search ON subscriptions USING btree (aid, created DESC, id DESC)
CREATE INDEX subscriptions_search_rid ON subscriptions USING btree (aid, rid, created DESC, id DESC)
CREATE INDEX subscriptions_trials ON subscriptions USING btree (aid, trial_ends) WHERE (trial_ends IS NOT NULL)
CREATE UNIQUE INDEX subscriptions_one_open ON subscriptions USING btree (aid, rid, uid) WHERE (status <> 'ended'::text)
CREATE UNIQUE INDEX subscriptions_pkey ON subscriptions USING btree (aid, id)
test_ledger.id text collate "C" not null
test_ledger.kind text collate "C" not null
test_ledger.key text collate "C"
test_ledger.card text collate "C" not null
test_ledger.charge_id text collate "C"
test_ledger.amount bigint not null
test_ledger.currency text collate "C" not null
test_ledger.status text collate "C" not null
test_ledger.failure text collate "C"
test_ledger.dispute text collate "C"
test_ledger.tries bigint not null
test_ledger.created bigint not null
test_ledger.disputed_amount bigint
test_ledger: PRIMARY KEY (id)
test_ledger: UNIQUE (key)
CREATE INDEX test_ledger_charge ON test_ledger USING btree (charge_id) WHERE (charge_id IS NOT NULL)
CREATE UNIQUE INDEX test_ledger_key_key ON test_ledger USING btree (key)
CREATE UNIQUE INDEX test_ledger_pkey ON test_ledger USING btree (id)
trials.aid text collate "C" not null
trials.rid text collate "C" not null
trials.kind text collate "C" not null
trials.mark text collate "C" not null
trials.created bigint not null
trials: FOREIGN KEY (aid) REFERENCES applications(aid)
trials: PRIMARY KEY (aid, rid, kind, mark)
CREATE UNIQUE INDEX trials_pkey ON trials USING btree (aid, rid, kind, mark)
user_refs.aid text collate "C" not null
user_refs.ref text collate "C" not null
user_refs.uid text collate "C" not null
user_refs.alias bigint not null
user_refs: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
user_refs: PRIMARY KEY (aid, ref)
CREATE INDEX user_refs_uid ON user_refs USING btree (aid, uid)
CREATE UNIQUE INDEX user_refs_owner ON user_refs USING btree (aid, ref, uid)
CREATE UNIQUE INDEX user_refs_pkey ON user_refs USING btree (aid, ref)
users.aid text collate "C" not null
users.uid text collate "C" not null
users.email text collate "C"
users.email_key text collate "C"
users.first_name text collate "C" not null
users.last_name text collate "C" not null
users.created bigint not null
users.erased bigint
users.contact_email text collate "C"
users.link_number bigint not null
users: FOREIGN KEY (aid) REFERENCES applications(aid)
users: PRIMARY KEY (aid, uid)
CREATE INDEX users_by_first_name ON users USING btree (aid, first_name, uid) WHERE (first_name <> ''::text)
CREATE INDEX users_by_last_name ON users USING btree (aid, last_name, uid) WHERE (last_name <> ''::text)
CREATE INDEX users_by_title ON users USING btree (aid, lower(COALESCE(NULLIF(TRIM(BOTH FROM ((first_name || ' '::text) || last_name)), ''::text), email, contact_email, ''::text)), uid)
CREATE INDEX users_newest ON users USING btree (aid, created DESC, uid) WHERE (erased IS NULL)
CREATE UNIQUE INDEX users_email ON users USING btree (aid, email_key)
CREATE UNIQUE INDEX users_pkey ON users USING btree (aid, uid)
webhook_attempts.aid text collate "C" not null
webhook_attempts.endpoint text collate "C" not null
webhook_attempts.event_id text collate "C" not null
webhook_attempts.number bigint not null
webhook_attempts.at bigint not null
webhook_attempts.url text collate "C" not null
webhook_attempts.duration_ms bigint not null
webhook_attempts.status bigint
webhook_attempts.error text collate "C"
webhook_attempts.response text collate "C"
webhook_attempts: FOREIGN KEY (aid, endpoint, event_id) REFERENCES webhook_deliveries(aid, endpoint, event_id)
webhook_attempts: PRIMARY KEY (aid, endpoint, event_id, number)
CREATE UNIQUE INDEX webhook_attempts_pkey ON webhook_attempts USING btree (aid, endpoint, event_id, number)
webhook_deliveries.aid text collate "C" not null
webhook_deliveries.endpoint text collate "C" not null
webhook_deliveries.event_id text collate "C" not null
webhook_deliveries.position bigint not null
webhook_deliveries.uid text collate "C"
webhook_deliveries.sequence bigint
webhook_deliveries.type text collate "C" not null
webhook_deliveries.state text collate "C" not null
webhook_deliveries.attempts bigint not null
webhook_deliveries.total_attempts bigint not null
webhook_deliveries.created bigint not null
webhook_deliveries.due bigint not null
webhook_deliveries.first_attempt bigint
webhook_deliveries.lease_token text collate "C"
webhook_deliveries.lease_until bigint
webhook_deliveries.delivered bigint
webhook_deliveries.replay text collate "C"
webhook_deliveries: FOREIGN KEY (aid, endpoint) REFERENCES webhook_endpoints(aid, id)
webhook_deliveries: PRIMARY KEY (aid, endpoint, event_id)
CREATE INDEX webhook_deliveries_by_position ON webhook_deliveries USING btree (aid, "position")
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (aid, endpoint, due, "position") WHERE (state = ANY (ARRAY['pending'::text, 'sending'::text]))
CREATE INDEX webhook_deliveries_event ON webhook_deliveries USING btree (aid, event_id)
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries USING btree (aid, endpoint, "position" DESC)
CREATE INDEX webhook_deliveries_order ON webhook_deliveries USING btree (aid, endpoint, uid, sequence) WHERE (state = ANY (ARRAY['pending'::text, 'sending'::text]))
CREATE INDEX webhook_deliveries_user ON webhook_deliveries USING btree (aid, uid)
CREATE UNIQUE INDEX webhook_deliveries_pkey ON webhook_deliveries USING btree (aid, endpoint, event_id)
webhook_endpoints.aid text collate "C" not null
webhook_endpoints.id text collate "C" not null
webhook_endpoints.url text collate "C" not null
webhook_endpoints.types text collate "C" not null
webhook_endpoints.version text collate "C" not null
webhook_endpoints.description text collate "C" not null
webhook_endpoints.state text collate "C" not null
webhook_endpoints.position bigint not null
webhook_endpoints.resume_at bigint not null
webhook_endpoints.probes bigint not null
webhook_endpoints.failures bigint not null
webhook_endpoints.failing_since bigint
webhook_endpoints.last_success bigint
webhook_endpoints.last_failure bigint
webhook_endpoints.last_error text collate "C"
webhook_endpoints.notified bigint not null
webhook_endpoints.off_at bigint
webhook_endpoints.off_reason text collate "C"
webhook_endpoints.missed_from bigint
webhook_endpoints.missed_to bigint
webhook_endpoints.created bigint not null
webhook_endpoints: FOREIGN KEY (aid) REFERENCES applications(aid)
webhook_endpoints: PRIMARY KEY (aid, id)
CREATE UNIQUE INDEX webhook_endpoints_pkey ON webhook_endpoints USING btree (aid, id)
webhook_replays.aid text collate "C" not null
webhook_replays.id text collate "C" not null
webhook_replays.endpoint text collate "C" not null
webhook_replays.mode text collate "C" not null
webhook_replays.from_time bigint not null
webhook_replays.to_time bigint not null
webhook_replays.position bigint not null
webhook_replays.end_position bigint not null
webhook_replays.admitted bigint not null
webhook_replays.actor text collate "C" not null
webhook_replays.created bigint not null
webhook_replays.finished bigint
webhook_replays: FOREIGN KEY (aid, endpoint) REFERENCES webhook_endpoints(aid, id)
webhook_replays: PRIMARY KEY (aid, id)
CREATE INDEX webhook_replays_open ON webhook_replays USING btree (aid, endpoint) WHERE (finished IS NULL)
CREATE UNIQUE INDEX webhook_replays_pkey ON webhook_replays USING btree (aid, id)
webhook_secrets.aid text collate "C" not null
webhook_secrets.id text collate "C" not null
webhook_secrets.endpoint text collate "C" not null
webhook_secrets.sealed text collate "C" not null
webhook_secrets.created bigint not null
webhook_secrets.dies bigint
webhook_secrets: FOREIGN KEY (aid, endpoint) REFERENCES webhook_endpoints(aid, id)
webhook_secrets: PRIMARY KEY (aid, id)
CREATE INDEX webhook_secrets_endpoint ON webhook_secrets USING btree (aid, endpoint)
CREATE UNIQUE INDEX webhook_secrets_pkey ON webhook_secrets USING btree (aid, id)
