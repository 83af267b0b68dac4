//! Signals that the parent process has set to be ignored.

/// Whether this process ignores SIGHUP, for example because `nohup` started it.
///
/// ```
/// // The tests may run under nohup, or not.
/// let _ = nimoon_kernels::ignores_hangup();
/// ```
pub fn ignores_hangup() -> bool {
    #[cfg(unix)]
    {
        let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: without a new action `sigaction` only writes the present one, and the place for
        // it is large enough. All its bytes are zero before, which is a valid value of the type.
        let action = unsafe {
            if libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr()) != 0 {
                return false;
            }
            action.assume_init()
        };
        action.sa_sigaction == libc::SIG_IGN
    }
    #[cfg(not(unix))]
    false
}
