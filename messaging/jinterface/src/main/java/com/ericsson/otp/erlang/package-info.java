/**
 * Nodes, mailboxes and terms of Erlang under the names that jinterface gave them. A node listens on loopback unless the system property
 * {@code touchstone.jinterface.listen} names another address.
 */
package com.ericsson.otp.erlang;
