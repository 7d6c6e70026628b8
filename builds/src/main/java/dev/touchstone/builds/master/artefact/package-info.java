/** The artefacts of jobs on the master's disk, and the thread that takes them from agents and gives them to clients. */
@NullMarked
package dev.touchstone.builds.master.artefact;

import org.jspecify.annotations.NullMarked;
