/** Webhooks of forges: pushes that become jobs, and the state of these jobs beside the commits. Knows the API only. */
@NullMarked
package dev.touchstone.builds.hook;

import org.jspecify.annotations.NullMarked;
