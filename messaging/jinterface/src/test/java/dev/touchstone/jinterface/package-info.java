/** Tests of the drop-in, whose API says nothing of nulls; most run the same calls against the real library as well. */
package dev.touchstone.jinterface;
