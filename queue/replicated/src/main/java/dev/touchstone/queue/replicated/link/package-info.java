/**
 * Messages between members and what carries them: a server ({@code MemberServer}) and connections ({@code Links}) over bolt, with TLS where it is
 * asked for. Knows nothing of entries and groups.
 */
@NullMarked
package dev.touchstone.queue.replicated.link;

import org.jspecify.annotations.NullMarked;
