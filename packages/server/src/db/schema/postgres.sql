-- control
aids.aid text collate "C" not null
aids.environment text collate "C" not null
aids: PRIMARY KEY (aid)
CREATE UNIQUE INDEX aids_pkey ON aids USING btree (aid)
meta.name text collate "C" not null
meta.value text collate "C" not null
meta: PRIMARY KEY (name)
CREATE UNIQUE INDEX meta_pkey ON meta USING btree (name)
migrations.name text collate "default" not null
migrations.applied bigint not null
migrations: PRIMARY KEY (name)
CREATE UNIQUE INDEX migrations_pkey ON migrations USING btree (name)
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
access: FOREIGN KEY (aid, rid) REFERENCES resources(aid, rid)
access: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
access: PRIMARY KEY (id)
access: UNIQUE (aid, id)
CREATE INDEX access_by_user ON access USING btree (aid, uid, created DESC, id)
CREATE INDEX access_search ON access USING btree (aid, created DESC, id) WHERE (revoked IS NULL)
CREATE INDEX access_search_rid ON access USING btree (aid, rid, created DESC, id) WHERE (revoked IS NULL)
CREATE UNIQUE INDEX access_aid_id_key ON access USING btree (aid, id)
CREATE UNIQUE INDEX access_one_unrevoked ON access USING btree (aid, rid, uid) WHERE (revoked IS NULL)
CREATE UNIQUE INDEX access_pkey ON access USING btree (id)
access_tags.aid text collate "C" not null
access_tags.tag text collate "C" not null
access_tags.access_id text collate "C" not null
access_tags: FOREIGN KEY (aid, access_id) REFERENCES access(aid, id)
access_tags: PRIMARY KEY (aid, tag, access_id)
CREATE INDEX access_tags_access ON access_tags USING btree (aid, access_id)
CREATE UNIQUE INDEX access_tags_pkey ON access_tags USING btree (aid, tag, access_id)
application_keys.id text collate "C" not null
application_keys.aid text collate "C" not null
application_keys.sealed text collate "C" not null
application_keys.created bigint not null
application_keys.dies bigint
application_keys: FOREIGN KEY (aid) REFERENCES applications(aid)
application_keys: PRIMARY KEY (id)
CREATE INDEX application_keys_aid ON application_keys USING btree (aid)
CREATE UNIQUE INDEX application_keys_pkey ON application_keys USING btree (id)
applications.aid text collate "C" not null
applications.name text collate "C" not null
applications.currency text collate "C" not null
applications.mail_from text collate "C"
applications.mail_template text collate "C"
applications.created bigint not null
applications.archived bigint
applications: PRIMARY KEY (aid)
CREATE UNIQUE INDEX applications_pkey ON applications USING btree (aid)
history.seq bigint not null identity
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
history: PRIMARY KEY (seq)
CREATE INDEX history_access ON history USING btree (aid, access_id, seq)
CREATE INDEX history_user ON history USING btree (aid, uid, seq)
CREATE UNIQUE INDEX history_pkey ON history USING btree (seq)
meta.name text collate "C" not null
meta.value text collate "C" not null
meta: PRIMARY KEY (name)
CREATE UNIQUE INDEX meta_pkey ON meta USING btree (name)
migrations.name text collate "default" not null
migrations.applied bigint not null
migrations: PRIMARY KEY (name)
CREATE UNIQUE INDEX migrations_pkey ON migrations USING btree (name)
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
outbox: PRIMARY KEY (id)
outbox: UNIQUE (key)
CREATE INDEX outbox_due ON outbox USING btree (due) WHERE (status = ANY (ARRAY['queued'::text, 'sending'::text]))
CREATE INDEX outbox_given_up ON outbox USING btree (aid) WHERE ((status = 'dead'::text) AND (recipient <> ''::text))
CREATE INDEX outbox_user ON outbox USING btree (aid, uid)
CREATE UNIQUE INDEX outbox_key_key ON outbox USING btree (key)
CREATE UNIQUE INDEX outbox_pkey ON outbox USING btree (id)
resources.aid text collate "C" not null
resources.rid text collate "C" not null
resources.name text collate "C" not null
resources.url text collate "C" not null
resources.created bigint not null
resources: FOREIGN KEY (aid) REFERENCES applications(aid)
resources: PRIMARY KEY (aid, rid)
CREATE UNIQUE INDEX resources_pkey ON resources USING btree (aid, rid)
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
sources: FOREIGN KEY (aid, access_id) REFERENCES access(aid, id)
sources: PRIMARY KEY (id)
CREATE INDEX sources_access ON sources USING btree (aid, access_id)
CREATE UNIQUE INDEX sources_one_open_grant ON sources USING btree (access_id) WHERE ((kind = 'grant'::text) AND (closed IS NULL))
CREATE UNIQUE INDEX sources_pkey ON sources USING btree (id)
user_refs.aid text collate "C" not null
user_refs.ref text collate "C" not null
user_refs.uid text collate "C" not null
user_refs: FOREIGN KEY (aid, uid) REFERENCES users(aid, uid)
user_refs: PRIMARY KEY (aid, ref)
CREATE INDEX user_refs_uid ON user_refs USING btree (aid, uid)
CREATE UNIQUE INDEX user_refs_pkey ON user_refs USING btree (aid, ref)
users.aid text collate "C" not null
users.uid text collate "C" not null
users.email text collate "C"
users.email_key text collate "C"
users.first_name text collate "C" not null
users.last_name text collate "C" not null
users.created bigint not null
users.erased bigint
users: FOREIGN KEY (aid) REFERENCES applications(aid)
users: PRIMARY KEY (aid, uid)
CREATE UNIQUE INDEX users_email ON users USING btree (aid, email_key)
CREATE UNIQUE INDEX users_pkey ON users USING btree (aid, uid)
