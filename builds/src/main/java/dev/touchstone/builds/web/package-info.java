/** The page for people: jobs, agents and live logs, over HTTP on loopback. */
@NullMarked
package dev.touchstone.builds.web;

import org.jspecify.annotations.NullMarked;
